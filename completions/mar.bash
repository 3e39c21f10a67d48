# Completion of mar for bash: press Tab. Made by "mar completion bash".
#
# In this shell only:
#   source <(mar completion bash)
#
# In every new shell, if the package bash-completion is installed:
#   mkdir -p ~/.local/share/bash-completion/completions
#   mar completion bash > ~/.local/share/bash-completion/completions/mar
#
# In every new shell, without that package:
#   mar completion bash > ~/.mar.bash
#   echo 'source ~/.mar.bash' >> ~/.bashrc

_mar() {
  local kind space before line
  COMPREPLY=()
  {
    read -r kind space before
    while IFS= read -r line; do COMPREPLY+=("$line"); done
  } < <(command mar complete-words bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" "$COMP_TYPE" "$COLUMNS" 2>/dev/null)
  # bash 3 has no compopt: it cannot change options while it completes.
  type compopt >/dev/null 2>&1 || return 0
  case $kind in
    file) compopt -o default -o filenames ;;
    folder) compopt -o dirnames -o filenames ;;
    # Keep the order, most recent first. Needs bash 4.4.
    *) compopt -o nosort 2>/dev/null ;;
  esac
  [ "$space" != nospace ] || compopt -o nospace
  return 0
}

if type compopt >/dev/null 2>&1; then
  complete -F _mar mar
else
  complete -o default -F _mar mar
fi
