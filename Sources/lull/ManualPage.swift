/// One page of the manual, in roff's man macros.
struct ManualPage {
    let file: String
    let text: String

    static func pages(of command: CommandDescription, parents: [String], version: String) -> [ManualPage] {
        let path = parents + [command.commandName]
        let children = (command.subcommands ?? []).filter {
            $0.shouldDisplay != false && $0.commandName != "help"
        }
        let page = ManualPage(
            file: path.joined(separator: "-") + ".1", text: text(of: command, path, children, version))
        return [page] + children.flatMap { pages(of: $0, parents: path, version: version) }
    }

    private static func text(
        of command: CommandDescription, _ path: [String], _ children: [CommandDescription],
        _ version: String
    ) -> String {
        let name = path.joined(separator: "-")
        let arguments = (command.arguments ?? []).filter {
            $0.shouldDisplay && $0.names?.first?.name != "version"
        }
        var lines = [
            ".TH \(name.uppercased()) 1 \"\" \"Lull \(version)\" \"Lull\"",
            ".SH NAME", "\(escaped(name)) \\- \(escaped(lowered(command.abstract ?? "")))",
            ".SH SYNOPSIS", ".B \(escaped(path.joined(separator: " ")))",
        ]
        lines += children.isEmpty ? arguments.map(synopsis) : ["\\fIcommand\\fR"]
        if let discussion = command.discussion, !discussion.isEmpty {
            lines += [".SH DESCRIPTION"] + prose(discussion)
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

/// The part of the parser's own description that a manual needs.
struct ToolDescription: Decodable {
    let command: CommandDescription
}

struct CommandDescription: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let arguments: [ArgumentDescription]?
    let subcommands: [CommandDescription]?
}

struct ArgumentDescription: Decodable {
    struct Name: Decodable {
        let kind: String
        let name: String
    }
    let kind: String
    let abstract: String?
    let discussion: String?
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
    let valueName: String?
    let names: [Name]?
}
