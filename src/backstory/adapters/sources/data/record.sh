# Backstory: what you type at this prompt, in projects that have a memory.
# Nothing is started: one line is added to a file, which is read when something else runs.
__backstory_place= __backstory_state= __backstory_head=

# Find the repository around the current directory, or else the folder with a memory.
__backstory_locate() {
  local here=$PWD line= folder= plain=
  __backstory_place=$PWD __backstory_state= __backstory_head=
  while :; do
    if [[ -f $here/.git/HEAD ]]; then
      __backstory_head=$here/.git/HEAD __backstory_state=$here/.git/backstory
      return
    elif [[ -f $here/.git ]]; then
      IFS= builtin read -r line <"$here/.git" || return
      folder=${line#gitdir: }
      [[ $folder == /* ]] || folder=$here/$folder
      __backstory_head=$folder/HEAD __backstory_state=$folder/backstory
      if [[ -f $folder/commondir ]]; then
        IFS= builtin read -r line <"$folder/commondir" || return
        [[ $line == /* ]] || line=$folder/$line
        __backstory_state=$line/backstory
      fi
      return
    elif [[ -z $plain && -f $here/.backstory/memory.db ]]; then
      plain=$here/.backstory
    fi
    [[ -n $here ]] || break
    here=${here%/*}
  done
  __backstory_state=$plain
}

# Write down: begin and end in milliseconds, exit code, command.
__backstory_record() {
  local begin=$1 end=$2 code=$3 text=$4 branch= spool= place=$PWD
  case $text in '' | [[:space:]]*) return ;; esac
  case ${BACKSTORY_OFF:-} in 1 | [Tt]rue | TRUE | [Yy]es | YES | [Oo]n | ON) return ;; esac
  case ${BACKSTORY_CAPTURE_SHELL:-} in 0 | [Ff]alse | FALSE | [Nn]o | NO | [Oo]ff | OFF) return ;; esac
  case ${BACKSTORY_PURPOSE:-} in code_audit | patch_* | evaluation) return ;; esac
  case $text in @IGNORED@) return ;; esac
  [[ -e @SWITCH@ ]] && return
  [[ $PWD == "$__backstory_place" && -n $__backstory_state ]] || __backstory_locate
  [[ -n $__backstory_state && -f $__backstory_state/memory.db ]] || return
  spool=$__backstory_state/spool
  [[ -e $__backstory_state/off || -e $spool/no-shell ]] && return
  # A folder that somebody else packed may hold links, and they may lead anywhere.
  [[ -L $spool || -L $spool/shell.lines || -L $spool/shell-told ]] && return
  if [[ ! -e $spool/shell.lines ]]; then
    (umask 077 && command mkdir -p "$spool" && : >>"$spool/shell.lines") 2>/dev/null || return
  fi
  if [[ ! -e $spool/shell-told ]]; then
    (umask 077 && : >>"$spool/shell-told") 2>/dev/null || return
    builtin printf '%s\n' "backstory: what you type in this project is recorded from now on." \
      "  \`backstory status\` shows what else is; \`capture.shell = false\` switches it off." >&2
  fi
  [[ -f $__backstory_head ]] && IFS= builtin read -r branch <"$__backstory_head"
  text=${text:0:1001}
  text=${text//[$'\036'$'\037']/ } place=${place//[$'\036'$'\037']/ }
  text=${text//$'\n'/$'\036'} place=${place//$'\n'/$'\036'}
  {
    builtin printf '1\037%s\037%s\037%s\037%s\037%s\037%s\037%s\n' \
      "$begin" "$end" "$code" "$$" "$branch" "$place" "$text" >>"$spool/shell.lines"
  } 2>/dev/null
}
