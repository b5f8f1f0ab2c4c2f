/// One page of the manual, in roff's man macros.
struct ManualPage {
    let file: String
    let text: String

    /// The version and the date that the pages bear.
    struct Edition {
        let version: String
        let date: String

        func title(_ name: String, section: Int) -> String {
            ".TH \(name.uppercased()) \(section) \"\(date)\" \"Lull \(version)\" \"Lull\""
        }
    }

    static func pages(
        of command: CommandDescription, parents: [String], _ edition: Edition
    ) -> [ManualPage] {
        let path = parents + [command.commandName]
        let children = command.shown.filter { $0.commandName != "help" }
        let page = ManualPage(
            file: path.joined(separator: "-") + ".1", text: text(of: command, path, children, edition))
        return [page] + children.flatMap { pages(of: $0, parents: path, edition) }
    }

    private static func text(
        of command: CommandDescription, _ path: [String], _ children: [CommandDescription],
        _ edition: Edition
    ) -> String {
        let name = path.joined(separator: "-")
        let arguments = (command.arguments ?? []).filter {
            $0.shouldDisplay && $0.names?.first?.name != "version"
        }
        var lines = [
            edition.title(name, section: 1),
            ".SH NAME", "\(escaped(name)) \\- \(escaped(lowered(command.abstract ?? "")))",
            ".SH SYNOPSIS", ".B \(escaped(path.joined(separator: " ")))",
        ]
        lines += children.isEmpty ? arguments.map(synopsis) : ["\\fIcommand\\fR"]
        let discussion = Discussion(command.discussion ?? "")
        if !discussion.description.isEmpty {
            lines += [".SH DESCRIPTION"] + prose(discussion.description)
        }
        if !arguments.isEmpty {
            lines.append(".SH OPTIONS")
            for argument in arguments {
                lines += [".TP", heading(argument)] + prose(argument.abstract ?? "")
                if let more = argument.discussion, !more.isEmpty { lines += prose(more) }
            }
        }
        if !children.isEmpty {
            lines.append(".SH COMMANDS")
            for child in children {
                lines +=
                    [".TP", ".BR \(escaped(name))\\-\(escaped(child.commandName)) (1)"]
                    + prose(child.abstract ?? "")
            }
        }
        lines += exitStatus(discussion.status) + environment(arguments, isAll: path.count == 1)
        lines += examples(discussion.examples)
        if path.count > 1 {
            lines += [".SH SEE ALSO", ".BR \(escaped(path.dropLast().joined(separator: "-"))) (1)"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func heading(_ argument: ArgumentDescription) -> String {
        guard let names = argument.names, !names.isEmpty else {
            return "\\fI\(escaped(argument.valueName ?? ""))\\fR"
        }
        let words = names.map { "\\fB" + ($0.kind == "long" ? "\\-\\-" : "\\-") + escaped($0.name) + "\\fR" }
        let value = argument.kind == "option" ? " \\fI\(escaped(argument.valueName ?? ""))\\fR" : ""
        return words.joined(separator: ", ") + value
    }

    private static func synopsis(_ argument: ArgumentDescription) -> String {
        var word = heading(argument)
        if let last = argument.names?.last, argument.names?.count ?? 0 > 1 {
            word = "\\fB\\-\\-\(escaped(last.name))\\fR"
        }
        if argument.isRepeating { word += "..." }
        return argument.isOptional ? "[\(word)]" : word
    }

    /// Lines that begin with blanks stand as they are; an empty line begins a paragraph.
    static func prose(_ text: String) -> [String] {
        var lines: [String] = []
        var isVerbatim = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let stands = line.hasPrefix(" ")
            if stands != isVerbatim { lines.append(stands ? ".nf" : ".fi") }
            isVerbatim = stands
            lines.append(line.isEmpty ? ".PP" : escaped(String(line)))
        }
        return lines + (isVerbatim ? [".fi"] : [])
    }

    static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    private static func lowered(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
