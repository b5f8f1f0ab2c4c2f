import CLullShims
import Glibc
import LullHost
import LullManifest
import LullModel

/// Whether a program, a file or a folder that settings name is on this machine, as their plugin would look for it.
///
/// Of users only the account of its own is judged that an app has under root: it may do what everybody may.
package struct ClaimLook {
    package let settings: JSONValue
    package let programPath: String?
    /// The folders that a relative path may start from; which one applies depends on who starts the host.
    package let startFolders: [String]
    /// Whether the app runs as an account of its own.
    package var hasOwnAccount = false

    package struct Doubt: Equatable {
        package let message: String
        package let fix: String
        /// The PATH in which a program without a path was looked for.
        package var searchPath: String?
        /// The program that is missing.
        package var program: String?
        /// Whether it can't work on any machine.
        package var isError = false
    }

    package func doubts(of claim: SettingClaim) -> [Doubt] {
        switch claim.format {
        case .program: return [doubt(ofProgram: claim.text)].compactMap(\.self)
        case .command:
            let shell = text("shell") ?? "/bin/sh"
            guard ShellText.isKnown(shell: shell) else { return [] }
            // A file that bash reads first may change how it reads the rest.
            if variable("BASH_ENV") == nil, let fault = ShellSyntax.fault(of: claim.text, by: shell) {
                return [
                    Doubt(
                        message: "\(shell) can't read this line: \(fault)",
                        fix: "correct it; `\(shell) -n FILE` checks a script without running it",
                        isError: true)
                ]
            }
            return ShellText.needs(of: claim.text).compactMap { need in
                switch need {
                case .program(let name): doubt(ofProgram: name)
                case .file(let path): doubt(ofFile: path)
                case .folder(let path): doubt(ofFolder: path)
                }
            }
        case .path, .folder:
            if let doubt = doubt(ofVariableIn: claim) { return [doubt] }
            if claim.format == .folder { return [doubt(ofFolder: claim.text)].compactMap(\.self) }
            guard claim.text.hasPrefix("/") else { return [] }
            guard exists(claim.text) else {
                return [
                    Doubt(message: "there is nothing at '\(claim.text)'", fix: "make it, or correct the path")
                ]
            }
            return [doubt(ofAccess: S_IROTH, to: claim.text)].compactMap(\.self)
        case .duration, .size: return []
        }
    }

    /// `$HOME`: only a shell puts a variable's value there.
    private func doubt(ofVariableIn claim: SettingClaim) -> Doubt? {
        guard let dollar = claim.text.firstIndex(of: "$"), !exists(claim.text) else { return nil }
        let isHome = claim.text[dollar...].hasPrefix("$HOME") || claim.text[dollar...].hasPrefix("${HOME}")
        return Doubt(
            message:
                "nothing replaces '\(claim.text[dollar...].prefix { $0 != "/" })' with a value here",
            fix: isHome && claim.format == .folder
                ? "write `\"~\"` for the home folder" : "write the path in full")
    }

    private func doubt(ofFolder path: String) -> Doubt? {
        guard path.hasPrefix("/"), !isFolder(path) else { return nil }
        return Doubt(
            message: exists(path) ? "'\(path)' is not a folder" : "there is no folder '\(path)'",
            fix: "make it, or correct the path")
    }

    private func doubt(ofFile name: String) -> Doubt? {
        guard let path = absolute(name) else { return nil }
        guard !exists(path) else { return doubt(ofAccess: S_IROTH, to: path) }
        return Doubt(message: "there is no file '\(path)'", fix: "put it there, or correct its path")
    }

    /// What keeps the app's own account from the file, or from a folder on the way.
    private func doubt(ofAccess needed: mode_t, to path: String) -> Doubt? {
        guard hasOwnAccount else { return nil }
        let folders = path.indices.filter { path[$0] == "/" }.map { (String(path[...$0]), S_IXOTH) }
        for (place, needed) in folders + [(path, needed)] {
            let descriptor = open(place, __O_PATH | O_CLOEXEC)
            defer { if descriptor >= 0 { close(descriptor) } }
            var status = stat()
            // What can't be looked at, belongs to an account or has an access list, is not judged.
            guard fstat(descriptor, &status) == 0, !AppAccount.isAccount(status.st_uid),
                lull_has_access_list(descriptor) == 0
            else { return nil }
            guard status.st_mode & needed != needed else { continue }
            let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "root"
            let act = needed == S_IROTH ? "read" : place == path ? "execute" : "enter"
            return Doubt(
                message: "the account of its own that the app runs as may not \(act) '\(place)'"
                    + (place == path ? "" : ", which '\(path)' is in"),
                fix:
                    "write `user: \(owner)` in the app, or let the account \(act) it: a run that fails for this "
                    + "names the account")
        }
        return nil
    }

    /// Users of every Debian that are programs as well.
    private static let namesOfBoth: Set = ["mail", "news", "lp", "games", "backup"]

    private func doubt(ofProgram name: String) -> Doubt? {
        // A list of one item that is a whole line.
        if name.contains(where: \.isWhitespace), !exists(name) {
            let words = name.split(whereSeparator: \.isWhitespace).map(String.init)
            return Doubt(
                message:
                    "there is no program '\(name)': the first item of a list is only the program's name",
                fix: "write `[\(words.joined(separator: ", "))]`, or the line as text and not as a list")
        }
        guard name.contains("/") else {
            // A file that every shell reads first may define it.
            if variable("BASH_ENV") != nil { return nil }
            let folders = searchPath.split(separator: ":")
            guard folders.allSatisfy({ $0.hasPrefix("/") }),
                !folders.contains(where: { isProgram("\($0)/\(name)") })
            else { return nil }
            let fix =
                if getpwnam(name) != nil, !Self.namesOfBoth.contains(name) {
                    "'\(name)' is a user: take the word out, and put the task into an app with `user: \(name)`"
                } else if let folder = Self.usualFolders.first(where: { isProgram("\($0)/\(name)") }) {
                    "write `\(folder)/\(name)`, or add \(folder) to `PATH` under `env` in the settings"
                } else {
                    "install it, correct its name, or write its full path"
                }
            return Doubt(
                message: "there is no program '\(name)' in PATH", fix: fix, searchPath: searchPath,
                program: name)
        }
        guard let path = absolute(name) else { return doubt(ofRelative: name) }
        guard !isProgram(path) else { return doubt(ofAccess: S_IXOTH, to: path) }
        return exists(path)
            ? Doubt(message: "'\(path)' can't be executed", fix: "name a program, or run `chmod +x \(path)`")
            : Doubt(
                message: "there is no program '\(path)'", fix: "install it, or correct its path",
                program: path)
    }

    /// `./missing.sh`, without a `cwd`.
    private func doubt(ofRelative name: String) -> Doubt? {
        guard text("cwd") == nil, !name.hasPrefix("~"),
            !startFolders.contains(where: { exists($0 + "/" + name) })
        else { return nil }
        return Doubt(
            message: "there is no program '\(name)' in the folder that a host is started in",
            fix: "write its full path, or the folder as `cwd` in the settings", program: name)
    }

    /// Nil where it depends on a folder that is not known here.
    private func absolute(_ name: String) -> String? {
        if name.hasPrefix("/") { return name }
        guard !name.hasPrefix("~"), let folder = text("cwd"), folder.hasPrefix("/") else { return nil }
        return folder + "/" + name
    }

    /// Folders that usually hold programs and that a short PATH lacks.
    private static let usualFolders = [
        "/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin", "/snap/bin",
    ]

    private func variable(_ name: String) -> String? {
        guard case .object(let members) = settings, case .object(let env)? = members["env"],
            case .string(let value)? = env[name]
        else { return nil }
        return value
    }

    private var searchPath: String {
        variable("PATH") ?? programPath ?? getenv("PATH").map { String(cString: $0) }
            ?? "/usr/local/bin:/usr/bin:/bin"
    }

    private func text(_ key: String) -> String? {
        guard case .object(let members) = settings, case .string(let text)? = members[key] else { return nil }
        return text
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_mode }
        // A file that can't be looked at is not reported as missing.
        return errno == ENOENT || errno == ENOTDIR ? nil : S_IFREG | 0o111
    }

    private func exists(_ path: String) -> Bool { mode(path) != nil }
    private func isFolder(_ path: String) -> Bool {
        mode(path).map { $0 & S_IFMT == S_IFDIR || $0 == S_IFREG | 0o111 } ?? false
    }
    private func isProgram(_ path: String) -> Bool {
        mode(path).map { $0 & S_IFMT == S_IFREG && $0 & 0o111 != 0 } ?? false
    }
}
