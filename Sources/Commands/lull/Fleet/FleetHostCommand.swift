import ArgumentParser
import Foundation
import Glibc
import LullCommands
import LullFleet
import LullModel

struct FleetHostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Give a host a login of its own in the database, or take it away.",
        usage: "lull fleet host add|remove [<options>] <name>",
        subcommands: [FleetHostAdd.self, FleetHostRemove.self])
}

/// The name of a login of one host, as PostgreSQL takes it.
private func checked(_ name: String) throws -> String {
    let isName = name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x27 && $0 != 0x5C }
    guard isName, (1...FleetLogin.nameBytes).contains(name.utf8.count), !name.hasPrefix("pg_") else {
        throw ValidationError(
            "'\(name.prefix(60))' can't be the name of a login. Write at most \(FleetLogin.nameBytes) letters, digits and "
                + "marks of ASCII, without blanks and quotes, and not 'pg_' first.")
    }
    return name
}

struct FleetHostAdd: ParsableCommand, AskingFleet {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make the login of one host, or give it a new password.",
        usage: "lull fleet host add [<options>] <name>",
        discussion: """
            Needs the same rights as `lull fleet init`. The login may act for one host alone: the one of this \
            name if it is in the fleet, else the first new host that connects with it. Prints what \
            belongs into the host's jobs.yaml, and the password, once. A login that is there already gets \
            the new password and keeps its host.

            --print prints the SQL instead, for an administrator to run. It holds a verifier, and not the \
            password.

            Examples:
              sudo -u postgres lull fleet host add web1 --database dbname=lull
              lull fleet host add web1 --print | sudo -u postgres psql lull
              pwgen -s 40 1 | lull fleet host add web1 --password-file -
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var fleetOptions: FleetOptions
    @Flag(help: "Print the SQL, and connect to nothing.") var print = false
    @Option(
        help: ArgumentHelp(
            "The file whose first line is the password; `-` is standard input. Default: one is made up.",
            valueName: "path"))
    var passwordFile: String?
    @Argument(help: "The login's name: best the host's.") var name: String

    func validate() throws { _ = try checked(name) }

    func run() throws {
        let definition = try definition()
        let password = try passwordFile.map(Self.password) ?? Self.random(24)
        let verifier = FleetLogin.verifier(of: password, salt: Self.randomBytes(16))
        let sql = FleetLogin.adding(name, verifier: verifier, fleet: definition.name)
        let isMade = passwordFile == nil
        let rest = try FleetSentences.hostLogin(name, of: definition, password: isMade ? password : nil)
        if print {
            Output.data("begin;\n" + sql + "\ncommit;\n")
            return Output.error(rest)
        }
        let binding = try asking { () throws(FleetTrouble) in
            try FleetLogin.run(sql, definition, credentials: credentials)
        }
        Output.answer("The login \(name) is \(binding ?? "there").\n" + rest)
    }

    private static func randomBytes(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    /// Letters and digits, so that it needs no quotes anywhere; `count` bytes of chance.
    private static func random(_ count: Int) -> String {
        randomBytes(count).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func password(in path: String) throws -> String {
        let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let file, let bytes = try? file.read(upToCount: 4096) else {
            throw Failure("The file \(path) with the password can't be read. Correct --password-file.")
        }
        let line = String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
        // Other characters would have to be normalised as the host's libpq does it.
        guard line.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), (8...1000).contains(line.utf8.count)
        else {
            throw Failure("The password needs 8 to 1,000 characters of ASCII on the first line.")
        }
        return line
    }
}

struct FleetHostRemove: ParsableCommand, AskingFleet {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Drop the login of one host: it gets no answers any more.",
        usage: "lull fleet host remove [<options>] <name>",
        discussion: """
            Needs the same rights as `lull fleet init`. It takes effect at once, for open connections too. \
            The host itself stays in the fleet: `lull fleet forget` removes it. A login that hosts share \
            may act for it again.

            Examples:
              sudo -u postgres lull fleet host remove web1 --database dbname=lull
              lull fleet host remove web1 --print | sudo -u postgres psql lull
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var fleetOptions: FleetOptions
    @Flag(help: "Print the SQL, and connect to nothing.") var print = false
    @Argument(help: "The login's name.") var name: String

    func validate() throws { _ = try checked(name) }

    func run() throws {
        let definition = try definition()
        let sql = FleetLogin.removing(name, fleet: definition.name)
        if print { return Output.data("begin;\n" + sql + "\ncommit;\n") }
        _ = try asking { () throws(FleetTrouble) in
            try FleetLogin.run(sql, definition, credentials: credentials)
        }
        Output.answer("The login \(name) is dropped.")
    }
}
