# Bash says when a command begins by PS0 and when it has ended by PROMPT_COMMAND. Its words are
# those of the history, so that what the history ignores is ignored here as well.
if [[ $- == *i* && ${BASH_VERSINFO[0]:-0} -ge 5 && -z ${__backstory_bang:-} ]] &&
  shopt -q promptvars; then
  __backstory_bang='\!' __backstory_void= __backstory_start= __backstory_number=
  __backstory_first= __backstory_last= __backstory_last_first=

  __backstory_prompt() {
    local code=$? begin=$__backstory_start text=
    [[ -n $begin ]] || return "$code"
    __backstory_start=
    if [[ ${__backstory_bang@P} != "$__backstory_number" ]]; then
      text=$(HISTTIMEFORMAT= builtin history 1)
      text=${text#"${text%%[0-9]*}"}
      text=${text#"${text%%[!0-9]*}"}
      text=${text:2}
      __backstory_last=$text
    elif __backstory_is_repeated; then
      text=$__backstory_last
    fi
    __backstory_last_first=$__backstory_first
    local now=${EPOCHREALTIME//[!0-9]/}
    __backstory_record "$((begin / 1000))" "$((now / 1000))" "$code" "$text"
    return "$code"
  }

  # No new line in the history: the same command again, or one that the history ignores?
  __backstory_is_repeated() {
    [[ -n $__backstory_first && $__backstory_first == "$__backstory_last_first" ]] && return
    [[ :${HISTCONTROL:-}: != *:ignorespace:* && :${HISTCONTROL:-}: != *:ignoreboth:* ]] &&
      [[ -z ${HISTIGNORE:-} && -o history ]]
  }

  __backstory_ready() {
    local code=$?
    __backstory_number=${__backstory_bang@P} __backstory_first= __backstory_start=
    return "$code"
  }

  # As elements of their own, bash gives each the exit code of what was typed (since 5.1).
  if ((BASH_VERSINFO[0] > 5 || BASH_VERSINFO[1] >= 1)); then
    PROMPT_COMMAND=(__backstory_prompt "${PROMPT_COMMAND[@]}" __backstory_ready)
  else
    PROMPT_COMMAND="__backstory_prompt"$'\n'"${PROMPT_COMMAND:-}"$'\n'"__backstory_ready"
  fi
  PS0=${PS0:-}'${__backstory_void:$((__backstory_start=${EPOCHREALTIME//[!0-9]/},0)):0}'
  # The first program of a line tells repeated lines from ignored ones. Where somebody else
  # listens already, those are left out.
  if [[ -z $(trap -p DEBUG) ]]; then
    trap ': "${__backstory_first:=${__backstory_start:+$BASH_COMMAND}}" "$_"' DEBUG
  fi
fi
