/// Why cron would not run a file's lines.
enum CronRefusal: Equatable {
    case hidden
    case dot
    case character(Character)
    case backup(String)
    case linkToNowhere
    case notRegular
    case linkInSpool
    case linkOwner
    case owner
    case writable
    case spoolMode
    case cronieMode
    case hardLinks
    case noAccount(String)
    case noLineEnd
    case tooManyLines(Int)
    /// A line that cron can't read, for which it passes over the whole file.
    case syntax(String)
    case expired(String)

    /// Whether there is a crontab that could be imported all the same.
    var isOfReadable: Bool { self != .linkToNowhere && self != .notRegular }

    /// A clause whose subject is the file.
    var message: String {
        switch self {
        case .hidden: "its name begins with a dot"
        case .dot: "its name has a dot"
        case .character(let character): "its name has '\(character)'"
        case .backup(let ending): "its name ends in '\(ending)', as a backup's does"
        case .linkToNowhere: "it is a dangling link"
        case .notRegular: "it is not a regular file"
        case .linkInSpool: "it is a link, and cron follows none in the spool"
        case .linkOwner: "it is a link that root does not own"
        case .owner: "its owner is neither root nor the user"
        case .writable: "its group or others may write to it"
        case .spoolMode: "its mode is not 0600"
        case .cronieMode: "its mode lets others write to it, or somebody execute it"
        case .hardLinks: "it has a second name, a hard link"
        case .noAccount(let name): "there is no account '\(name)'"
        case .noLineEnd: "its last line has no line end"
        case .tooManyLines(let most): "it has more than \(most) lines"
        case .syntax(let what): "it can't read this line, so it skips the whole file: \(what)"
        case .expired(let user): "the account '\(user)' has expired"
        }
    }
}

extension CronKind {
    /// Why it does not read the file, by its name and its status; nil: it does.
    func refusal(of name: String, _ status: CrontabStatus) -> CronRefusal? {
        if name.hasPrefix(".") { return .hidden }
        if status.place == .systemFolder || self == .cronie, let refusal = refusal(ofName: name) {
            return refusal
        }
        guard let file = status.file else { return .linkToNowhere }
        if !file.isRegular { return .notRegular }
        var owners: [UInt32] = [status.administrator]
        if case .spool(let account) = status.place {
            guard let account else { return .noAccount(name) }
            owners.append(account)
        }
        switch self {
        case .debian:
            if let owner = status.linkOwner {
                if status.isSpool { return .linkInSpool }
                if owner != status.administrator, owner != 0 { return .linkOwner }
            }
            if status.isSpool, file.mode & 0o7777 != 0o600 { return .spoolMode }
            if file.mode & 0o022 != 0 { return .writable }
            if file.links != 1 { return .hardLinks }
        case .cronie:
            // Beside 0400 it permits the owner to write, and the group and others to read.
            if file.mode & 0o7533 != 0o400 { return .cronieMode }
            if status.isSpool, file.links != 1 { return .hardLinks }
        }
        return owners.contains(file.owner) || file.owner == 0 ? nil : .owner
    }

    private func refusal(ofName name: String) -> CronRefusal? {
        switch self {
        case .debian:
            // The names that run-parts takes.
            if name.contains(".") { return .dot }
            let odd = name.first { !($0.isASCII && ($0.isLetter || $0.isNumber)) && $0 != "_" && $0 != "-" }
            return odd.map { .character($0) }
        case .cronie:
            if name.hasPrefix("#") { return .character("#") }
            return ["~", ".rpmsave", ".rpmorig", ".rpmnew"].first(where: name.hasSuffix).map { .backup($0) }
        }
    }
}
