import Foundation

/// The parser's description of `lull`: the part that manual pages and completions need.
struct ToolDescription: Decodable {
    let command: CommandDescription

    static func ofLull() throws -> ToolDescription {
        try JSONDecoder().decode(ToolDescription.self, from: Data(Lull._dumpHelp().utf8))
    }
}

struct CommandDescription: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let defaultSubcommand: String?
    let arguments: [ArgumentDescription]?
    let subcommands: [CommandDescription]?

    /// The commands that help lists.
    var shown: [CommandDescription] { (subcommands ?? []).filter { $0.shouldDisplay != false } }
    func subcommand(_ name: String) -> CommandDescription? { shown.first { $0.commandName == name } }
}

struct ArgumentDescription: Decodable {
    struct Name: Decodable {
        let kind: String
        let name: String

        var text: String { (kind == "long" ? "--" : "-") + name }
    }

    /// The completions of its value.
    struct Completion: Decodable {
        struct List: Decodable { let values: [String] }
        struct Marker: Decodable {}
        let list: List?
        let custom: Marker?
        let file: Marker?
    }

    let kind: String
    let abstract: String?
    let discussion: String?
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
    let valueName: String?
    let names: [Name]?
    let completionKind: Completion?
}
