/// What is wrong with a plugin's file, as far as it can be told without running any of it.
public enum PluginFault: Error, Sendable, Equatable {
    case missing
    /// A link whose target is not there.
    case danglingLink(String)
    case forbidden
    case unreadable(String)
    case notAFile
    case empty
    case notELF(Content)
    /// Bits and machine as the file has them.
    case otherMachine(String)
    /// `needs` is nil where that can't be told.
    case truncated(has: UInt64, needs: UInt64?)
    case objectFile
    case program
    case coreDump
    case malformed(String)
    case noEntry
    case entryIsNoData
    case tooSmall(size: Int, least: Int)
    case otherMajor(Int, minor: Int, ownMajor: Int, ownMinor: Int)
    case missingFunction(String)
    /// The file is not the one that was looked at.
    case exchanged
    /// SHA-256 as it is, and as it is pinned.
    case otherDigest(String, pinned: String)

    /// The content of a file that is no ELF file.
    public enum Content: Sendable, Equatable {
        case linkerScript, script, pointerFile, text, archive, windows, macOS, webAssembly, compressed,
            unknown
    }

    /// Whether the file is a library, but no plugin that fits.
    public var isAboutEntry: Bool {
        switch self {
        case .noEntry, .entryIsNoData, .tooSmall, .otherMajor, .missingFunction: true
        case .missing, .danglingLink, .forbidden, .unreadable, .notAFile, .empty, .notELF, .otherMachine,
            .truncated,
            .objectFile, .program, .coreDump, .malformed, .exchanged, .otherDigest:
            false
        }
    }

    /// What is wrong, and what to do about it.
    public func sentence(about path: String) -> String { "\(message(about: path)) \(fix(for: path))" }

    public func message(about path: String) -> String {
        switch self {
        case .missing: "There is no file '\(path)'."
        case .danglingLink(let target): "'\(path)' is a link to '\(target)', which is not there."
        case .forbidden: "This user may not read '\(path)'."
        case .unreadable(let reason): "'\(path)' can't be read: \(reason)."
        case .notAFile: "'\(path)' is not a file."
        case .empty: "'\(path)' is not a shared library: it is empty."
        case .notELF(.unknown): "'\(path)' is not a shared library: it is not an ELF file."
        case .notELF(let content): "'\(path)' is not a shared library, but \(content.name)."
        case .otherMachine(let machine):
            "'\(path)' was built for another kind of machine: for \(machine), but this is \(Machine.own.name)."
        case .truncated(let has, let needs):
            "'\(path)' is cut short: it has \(has) bytes" + (needs.map { " of \($0)." } ?? ".")
        case .objectFile: "'\(path)' is not a shared library, but an object file, which is not linked yet."
        case .program: "'\(path)' is not a shared library, but a program."
        case .coreDump: "'\(path)' is not a shared library, but a core dump."
        case .malformed(let what): "'\(path)' is not a shared library that can be loaded: \(what)."
        case .noEntry: "'\(path)' is not a plugin: it does not export 'lull_plugin_entry'."
        case .entryIsNoData: "'\(path)' is not a plugin: its 'lull_plugin_entry' is code, not a constant."
        case .tooSmall(let size, let least):
            "'\(path)' says that its lull_plugin_entry has \(size) bytes, but version 1.0 has at least \(least)."
        case .otherMajor(let major, let minor, let ownMajor, let ownMinor):
            "'\(path)' was built against version \(major).\(minor) of the plugin interface, but this worker "
                + "speaks \(ownMajor).\(ownMinor)."
        case .exchanged: "'\(path)' was replaced while it was being started."
        case .otherDigest(let found, let pinned):
            "'\(path)' is not the file that the manifest pins: its SHA-256 is \(found), but `sha256` says \(pinned)."
        case .missingFunction(let name): "'\(path)' has no `\(name)` in its lull_plugin_entry."
        }
    }

    public func fix(for path: String) -> String {
        switch self {
        case .missing: "Build the plugin, or correct `plugin` in the manifest."
        case .danglingLink: "Build or install the link's target, or make the link again."
        case .forbidden: "Change its permissions."
        case .unreadable, .malformed: "Rebuild it on this machine."
        case .notAFile: "Name the `.so` file."
        case .notELF(.linkerScript): "Give the library that it names."
        case .notELF(.pointerFile): "Fetch the file itself with `git lfs pull`."
        case .notELF(.macOS), .notELF(.windows), .notELF(.webAssembly), .otherMachine:
            "Build it on this machine."
        case .notELF(.compressed): "Unpack it."
        case .empty, .notELF, .objectFile, .program, .coreDump:
            "Build the plugin as one: a dynamic library product of a Swift package, or gcc -shared -fPIC."
        case .truncated: "Copy or build it again, and wait until that has ended."
        case .noEntry:
            "Define it as lull_plugin.h shows; in Swift, put @main before a BackgroundTasksApp and link "
                + "BackgroundTasks."
        case .entryIsNoData: "Define it as a `const lull_plugin`, as lull_plugin.h shows."
        case .tooSmall: "Set its `size` to sizeof(lull_plugin)."
        case .otherMajor(let major, _, let own, _) where major > own:
            "Install a Lull that speaks version \(major), or build it with the lull_plugin.h of this Lull."
        case .otherMajor: "Build it with the lull_plugin.h of this Lull."
        case .exchanged: "Wait until it is built or installed, and start it again."
        case .otherDigest:
            "Put the pinned file back; or, if you trust this one, write its digits into `sha256`."
        case .missingFunction: "Set it; only `run` may be null."
        }
    }
}

extension PluginFault.Content {
    fileprivate var name: String {
        switch self {
        case .linkerScript: "a linker script"
        case .script: "a script"
        case .pointerFile: "a Git LFS pointer to it"
        case .text: "a text"
        case .archive: "a static library"
        case .windows: "a file for Windows"
        case .macOS: "a file for macOS"
        case .webAssembly: "a file of WebAssembly"
        case .compressed: "a compressed file"
        case .unknown: "not an ELF file"
        }
    }

    /// Guesses the content of a file that is no ELF file from its first bytes.
    init(of start: [UInt8]) {
        let known: [([UInt8], PluginFault.Content)] = [
            (Array("!<arch>".utf8), .archive), (Array("!<thin>".utf8), .archive), (Array("#!".utf8), .script),
            (Array("version https://git-lfs".utf8), .pointerFile), (Array("MZ".utf8), .windows),
            ([0xcf, 0xfa, 0xed, 0xfe], .macOS), ([0xca, 0xfe, 0xba, 0xbe], .macOS),
            ([0x00, 0x61, 0x73, 0x6d], .webAssembly), ([0x1f, 0x8b], .compressed),
            ([0x50, 0x4b, 3, 4], .compressed),
            ([0xfd, 0x37, 0x7a, 0x58, 0x5a], .compressed), ([0x28, 0xb5, 0x2f, 0xfd], .compressed),
        ]
        if let match = known.first(where: { start.starts(with: $0.0) }) {
            self = match.1
            return
        }
        let isText = start.allSatisfy { $0 >= 0x20 && $0 != 0x7f || (9...13).contains($0) }
        guard isText else {
            self = .unknown
            return
        }
        let text = String(decoding: start, as: UTF8.self)
        let words = ["GNU ld script", "INPUT(", "INPUT (", "GROUP(", "GROUP (", "OUTPUT_FORMAT"]
        self = words.contains(where: text.contains) ? .linkerScript : .text
    }
}
