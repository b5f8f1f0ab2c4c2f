/// The programs that run-parts starts from a folder such as `/etc/cron.daily`, and the files that it passes over.
public struct RunParts: Sendable, Equatable {
    public private(set) var started: [String] = []
    public private(set) var passedOver: [String] = []

    /// `files`: their names, and whether each is a program.
    public init(_ files: [(name: String, isProgram: Bool)]) {
        for file in files.sorted(by: { $0.name < $1.name }) where !file.name.hasPrefix(".") {
            if file.isProgram, Self.isName(file.name) {
                started.append(file.name)
            } else {
                passedOver.append(file.name)
            }
        }
    }

    /// Without its options, run-parts takes letters, digits, underscores and hyphens.
    static func isName(_ name: String) -> Bool {
        name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-" }
    }

    /// The folder that a command hands to run-parts.
    static func folder(in command: String) -> String? {
        let words = command.split { " \t;}".contains($0) }.map(String.init)
        guard let index = words.firstIndex(where: { $0 == "run-parts" || $0.hasSuffix("/run-parts") }) else {
            return nil
        }
        return words[(index + 1)...].first { $0.hasPrefix("/") }
    }
}
