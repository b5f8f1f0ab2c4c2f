/// The script with which a shell completes `lull`: a few lines that ask it for the words, and complete files and folders.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    /// For `--generate-completion-script SHELL`; without a shell, that of `$SHELL`. Nil: not asked for, or for another
    /// shell.
    init?(askedBy arguments: [String], shell: String?) {
        let option = "--generate-completion-script"
        guard let first = arguments.first, first.prefix(while: { $0 != "=" }) == option else { return nil }
        let asked = first == option ? arguments.dropFirst().first : String(first.dropFirst(option.count + 1))
        let usual = shell?.split(separator: "/").last.map(String.init)
        guard let name = asked ?? usual, let script = CompletionScript(rawValue: name) else { return nil }
        self = script
    }

    var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    // Where there are no candidates, readline completes paths, which knows quotes, spaces and `~`.
    private static let bashText = #"""
        _lull() {
            local -a words=("${COMP_WORDS[@]:1:COMP_CWORD}") lines
            if [[ ${words[-1]} == "=" ]]; then words+=(""); else words[-1]=$2; fi
            mapfile -t lines < <("${1/#\~\//$HOME/}" complete-words -- "${words[@]}" 2>/dev/null)
            COMPREPLY=("${lines[@]:1}")
            COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
            case ${lines[0]} in
            files) compopt -o default ;;
            folders) compopt -o dirnames ;;
            esac
        }
        complete -F _lull lull

        """#

    private static let zshText = #"""
        #compdef lull

        _lull() {
            local -a lines items
            local line ret=1
            lines=("${(@f)$("${words[1]/#\~\//$HOME/}" complete-words -- \
                "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            [[ $PREFIX == --*=* ]] && compset -P '*='
            for line in "${(@)lines[2,-1]}"; do
                items+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
            done
            (( $#items )) && _describe -V lull items && ret=0
            case ${lines[1]} in
            files) _files && ret=0 ;;
            folders) _files -/ && ret=0 ;;
            esac
            return ret
        }
        if [[ $funcstack[1] == _lull ]]; then _lull "$@"; else compdef _lull lull; fi

        """#

    private static let fishText = #"""
        function __lull_complete
            set -l words (commandline -opc)
            set -l word (commandline -ct)
            set -l value (string replace -r -- '^--[^=]*=' '' $word)
            set -l option (string match -r -- '^--[^=]*=' $word)
            set -l lines ($words[1] complete-words -- $words[2..] "$word" 2>/dev/null)
            switch "$lines[1]"
                case files
                    set -a lines (__fish_complete_path "$value")
                case folders
                    set -a lines (__fish_complete_directories "$value" '')
            end
            for line in $lines[2..]
                echo -- "$option$line"
            end
        end
        complete -c lull -f -a '(__lull_complete)'

        """#
}
