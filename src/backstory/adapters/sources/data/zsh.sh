# Zsh hands the line to preexec as it was typed, and its exit code to precmd.
if [[ -o interactive && -z ${__backstory_hooked-} ]] && zmodload zsh/datetime 2>/dev/null; then
  typeset -g __backstory_hooked=1 __backstory_start= __backstory_text=

  __backstory_preexec() {
    emulate -L zsh
    local -i now=$((EPOCHREALTIME * 1000))
    __backstory_start=$now __backstory_text=$1
  }

  __backstory_precmd() {
    local code=$?
    emulate -L zsh
    local begin=$__backstory_start
    [[ -n $begin ]] || return 0
    __backstory_start=
    local -i now=$((EPOCHREALTIME * 1000))
    __backstory_record "$begin" "$now" "$code" "$__backstory_text"
    return 0
  }

  autoload -Uz add-zsh-hook
  add-zsh-hook preexec __backstory_preexec
  add-zsh-hook precmd __backstory_precmd
fi
