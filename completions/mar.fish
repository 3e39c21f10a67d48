# Completion of mar for fish: press Tab. Made by "mar completion fish".
#
# In this shell only:
#   mar completion fish | source
#
# In every new shell:
#   mkdir -p ~/.config/fish/completions
#   mar completion fish > ~/.config/fish/completions/mar.fish

function __mar_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l plain (string unescape -- "$current"); or set plain $current
    set -l lines (command mar complete-words fish $words[2..-1] "$plain" 2>/dev/null)
    or return
    # The first line: kind of candidates, whether a space follows, text before the value.
    set -l first (string split -m 2 ' ' -- "$lines[1]")
    switch "$first[1]"
        case file
            set -l value (string replace -r '^--[^=]*=' '' -- "$plain")
            for path in (__fish_complete_path "$value")
                echo -- "$first[3]$path"
            end
        case folder
            set -l value (string replace -r '^--[^=]*=' '' -- "$plain")
            for path in (__fish_complete_directories "$value" '')
                echo -- "$first[3]$path"
            end
        case '*'
            printf '%s\n' $lines[2..-1]
    end
end

complete -c mar -e
complete -c mar -f -k -a '(__mar_complete)'
