export const zsh = `#compdef mar
# Completion of mar for zsh: press Tab. Made by "mar completion zsh".
#
# In this shell only (after compinit):
#   source <(mar completion zsh)
#
# In every new shell:
#   mkdir -p ~/.zfunc
#   mar completion zsh > ~/.zfunc/_mar
# and in ~/.zshrc, before compinit is called (or with both lines, if it is not called yet):
#   fpath=(~/.zfunc $fpath)
#   autoload -U compinit && compinit

_mar() {
  local -a lines nospace
  lines=("\${(@f)$(command mar complete-words zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  # What else to do: the kind of thing, whether a space follows, and what stands before the value.
  local kind=\${lines[1]%% *} rest=\${lines[1]#* }
  local before=\${rest#* }
  [[ $rest != nospace* ]] || nospace=(-S '')
  shift lines
  case $kind in
    file|folder)
      [[ -z $before ]] || compset -P '*='
      if [[ $kind == folder ]]; then _files -/; else _files; fi
      ;;
    words)
      (( $#lines )) || return 1
      # The order has a meaning: the most recent first. Words that mean the same would be put together.
      zstyle ':completion:*:*:mar:*:words' list-grouped false
      _describe -V -t words mar lines "\${nospace[@]}"
      ;;
    *) return 1 ;;
  esac
}

# Loaded by compinit it is called at once; sourced, it is only made known.
if [[ $funcstack[1] == _mar ]]; then
  _mar "$@"
elif (( $+functions[compdef] )); then
  compdef _mar mar
fi
`;
