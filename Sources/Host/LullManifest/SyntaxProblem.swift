/// Text that is no YAML, in the terms of people who write manifests.
public enum SyntaxProblem: Sendable, Hashable {
    case tab
    /// With the pair as it should be written.
    case spaceAfterColon(String)
    case noColon(String)
    /// A line as a crontab has it.
    case cronLine
    /// `at = daily`, with the pair as it should be written.
    case equals(String, meant: String)
    case unclosedQuote(Character)
    case colonInValue(remedy: String?)
    /// `word`: the word before the second colon.
    case colonInBraces(remedy: String, word: String)
    /// Text without quotes that has a bracket or a comment's sign; with it in quotes.
    case signInBrackets(Character, remedy: String)
    case deeperThanValue(indent: Int)
    /// `above`: the spaces before the line above.
    case indentation(above: Int?)
    case afterQuote(Character)
    /// Text after the end of a list, a mapping or a quoted text; with the whole value as it was meant.
    case behindValue(Character, remedy: String)
    case unclosed(bracket: Character)
    case listOnKeyLine
    case listItem
    /// With the item.
    case noDash(String)
    case escape(Character?)
    /// A character that begins something else than text.
    case firstCharacter(Character)
    case alias
    case anchor
    case directive
    case keyMark
    case afterDocument
    case lookalike(LookalikeProblem)
    case spaceAfterDash(String)
    case noContent
    case blockHeader
    /// libyaml's own message, for rare mistakes.
    case other(String, while: String?)

    var message: String {
        switch self {
        case .tab: "a tab where YAML allows spaces only"
        case .spaceAfterColon(let pair): "the space after the colon is missing in \(quoted(pair))"
        case .noColon(let text): "\(quoted(text)) is not a key: the colon is missing"
        case .cronLine: "this is a line of a crontab, not a key of a manifest"
        case .equals(let text, _): "\(quoted(text)) is not a key: it has an equals sign instead of a colon"
        case .unclosedQuote(let quote): "the quote \(quote) that begins here is not closed on its line"
        case .colonInBraces: "a second ': ' in one pair: text that contains a colon and a space needs quotes"
        case .colonInValue: "a second ': ' in one line: text that contains a colon and a space needs quotes"
        case .signInBrackets("#", _): "a comment begins at this #: text that contains ' #' needs quotes"
        case .signInBrackets(let sign, _): "text between brackets that contains \(sign) needs quotes"
        case .deeperThanValue:
            "this line is indented below the line above, which already has a value"
        case .indentation: "this line's indentation matches no line above it"
        case .afterQuote(let quote): "more text follows the \(quote) that closes the value"
        case .behindValue(let end, _): "more text follows the \(end) that closes the value"
        case .unclosed(let bracket):
            "the \(bracket) that begins here is not closed, or a comma is missing in it"
        case .listOnKeyLine: "a list can't begin with '- ' on the line of its key"
        case .listItem, .noDash: "a list's item must begin with '- ' here"
        case .escape(let character?): "there is no '\\\(character)' in text in double quotes"
        case .escape(nil): "an escape in text in double quotes is not complete"
        case .firstCharacter(let character): "text without quotes can't begin with '\(character)'"
        case .alias: "'*' begins an alias, but no name follows"
        case .anchor: "'&' begins an anchor, but no name follows"
        case .directive: "a line that begins with '%' is a YAML directive, but this one is unknown"
        case .keyMark: "a '?' or ':' in a place where no key can begin"
        case .afterDocument: "the document has ended, and more text follows"
        case .lookalike(let problem): problem.message
        case .spaceAfterDash: "the space after the `-` is missing, so this is not a list"
        case .noContent: "a value is missing here"
        case .blockHeader: "what follows '|' or '>' on its line is not part of YAML"
        case .other(let words, let context?): "\(words) \(context)"
        case .other(let words, nil): words
        }
    }

    var fix: String {
        switch self {
        case .tab: "replace each tab with spaces; most editors can do that for the whole file"
        case .spaceAfterColon(let pair):
            "write `\(pair.split(separator: ":", maxSplits: 1).joined(separator: ": "))`"
        case .noColon(let text) where text.contains(" "):
            "write `\(text.split(separator: " ", maxSplits: 1).joined(separator: ": "))`, or "
                + "indent the line if it goes on with the value above"
        case .noColon(let text):
            "write `\(text.prefix(40)): …`, or indent the line if it goes on with the value above"
        case .cronLine:
            "take it out; `lull import crontab FILE` converts the lines of a crontab into tasks"
        case .equals(_, let meant): "write `\(meant)`"
        case .unclosedQuote("'"):
            "put a ' at the end of the text; inside of '…' a quote is written twice: `''`"
        case .unclosedQuote: "put a \" at the end of the text; inside of \"…\" a quote is written as `\\\"`"
        case .colonInValue(let remedy?): "write `\(remedy)`"
        case .colonInBraces(let remedy, let word):
            "write `\(remedy)`, or put a comma before `\(word)` if a pair begins there"
        case .signInBrackets(_, let remedy): "write `\(remedy)`"
        case .colonInValue(nil): "put the value in quotes"
        case .deeperThanValue(let indent):
            "indent it with \(indent) \(indent == 1 ? "space" : "spaces"), like the line above"
        case .indentation(let above?):
            "indent it with \(above) spaces, like the line above, or like the keys that it belongs to"
        case .indentation(nil): "indent it like the keys that it belongs to"
        case .afterQuote("'"): "a quote inside of '…' is written twice: `''`"
        case .afterQuote:
            "a quote inside of \"…\" is written as `\\\"`; or put the whole text in single quotes: `'…'`"
        case .behindValue(_, let remedy): "put all of it in quotes: `\(remedy)`"
        case .unclosed("["): "put a comma between the items, and a `]` at the end"
        case .unclosed: "put a comma between the pairs, and a `}` at the end"
        case .listOnKeyLine: "begin it on the next line, deeper than the key, or write `[ …, … ]`"
        case .listItem: "write `- ` before the item, or indent the line less if the list has ended"
        case .escape("%"): "write `%` alone: only a crontab needs a \\ before it"
        case .escape: "in single quotes a \\ is a \\: `'…'`; in double quotes it is written as `\\\\`"
        case .firstCharacter, .alias: "put the text in quotes: `'…'`"
        case .anchor: "put the text in quotes: `'…'`, or write a name after the `&`"
        case .directive, .afterDocument: "take it out"
        case .lookalike(let problem): problem.fix
        case .spaceAfterDash(let item), .noDash(let item): "write `- \(item)`"
        case .keyMark: "write `key: value`"
        case .noContent: "write the value, or take out the comma or the bracket"
        case .blockHeader: "begin the text on the next line"
        case .other:
            "compare the line with the ones around it, or with the examples in the manual of the manifest"
        }
    }
}
