/// The facts that an import needs about the machine on which its manifest will run.
public struct ImportMachine: Sendable {
    /// Whether a word is the name of one of its users, which tells a system crontab from a user's.
    let isUser: @Sendable (String) -> Bool
    /// Whether the account has expired, so that PAM refuses cron its jobs.
    let isExpired: @Sendable (String) -> Bool
    /// Whether it knows a time zone by this name.
    let isZone: @Sendable (String) -> Bool
    /// Whether it sends mail: if not, nobody has ever read what cron would mail.
    let sendsMail: Bool
    /// Whether a program of this name is where programs usually are.
    var isProgram: @Sendable (String) -> Bool
    /// The programs that run-parts would start from a folder; nil: there is no such folder.
    let programs: @Sendable (String) -> RunParts?
    /// The home folder of a user; nil: of the user who imports.
    var home: @Sendable (String?) -> String? = { _ in nil }
    /// The machine's host name; nil: the disk is another machine's.
    var hostName: String?

    /// The same, without the facts that this machine can't know about the machine whose disk is read.
    public var ofAnotherDisk: ImportMachine {
        var machine = self
        machine.home = { $0 == "root" ? "/root" : nil }
        machine.hostName = nil
        return machine
    }

    /// Whether a manifest takes the text for a mail address.
    static func isAddress(_ text: String) -> Bool {
        (1...254).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>(),;:\\\"[]".utf8.contains($0) }
    }

    /// Whether a manifest takes the text for a user's name, known or not.
    static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.unicodeScalars.allSatisfy {
                $0.value > 0x20 && $0.value != 0x7F && !":/,".unicodeScalars.contains($0)
            }
    }

    /// Whether the first word of a command is likely a user that this machine does not have: no program has that name,
    /// and a path follows.
    func mayBeUser(_ word: String, before rest: String) -> Bool {
        guard rest.hasPrefix("/"), Self.isName(word), !isProgram(word) else { return false }
        return word.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }

    public init(
        isUser: @escaping @Sendable (String) -> Bool,
        isExpired: @escaping @Sendable (String) -> Bool = { _ in false },
        isZone: @escaping @Sendable (String) -> Bool, sendsMail: Bool,
        isProgram: @escaping @Sendable (String) -> Bool = { _ in true },
        programs: @escaping @Sendable (String) -> RunParts? = { _ in nil },
        home: @escaping @Sendable (String?) -> String? = { _ in nil }, hostName: String? = nil
    ) {
        self.home = home
        self.hostName = hostName
        self.isUser = isUser
        self.isExpired = isExpired
        self.isProgram = isProgram
        self.programs = programs
        self.isZone = isZone
        self.sendsMail = sendsMail
    }
}
