import LullModel
import Testing

@testable import LullManifest

/// A faulty manifest, and the same manifest with its remedy followed.
struct Remedy: Sendable, CustomTestStringConvertible {
    let faulty: [UInt8]
    let mended: [UInt8]
    /// A part of the message or remedy, where several things are wrong.
    var about = ""
    /// The remedy says in words what to do, and writes nothing out that could be copied.
    var isProse = false
    /// Warnings that have nothing to do with it.
    var leaves: [String] = []
    /// The files of the machine, where the remedy concerns them.
    var before = machine
    var after = machine

    var testDescription: String { about + " " + String(decoding: faulty.suffix(160), as: UTF8.self) }

    /// The manifest with `slip` and with `write` in its place.
    init(_ text: String, _ slip: String, _ write: String) {
        faulty = Array(text.utf8)
        mended = Array(text.replacing(slip, with: write, maxReplacements: 1).utf8)
    }

    init(bytes: [UInt8], _ mended: [UInt8]) {
        faulty = bytes
        self.mended = mended
    }

    /// `text` stands for the keys of a task.
    init(task text: String, _ slip: String, _ write: String) {
        self.init(Self.whole(task: text), slip, write)
    }

    /// `text` stands for the keys of an app, after its plugin and its usage.
    init(app text: String, _ slip: String, _ write: String) {
        self.init(Self.whole(app: text), slip, write)
    }

    /// `text` stands for the usage of an app.
    init(usage text: String, _ slip: String, _ write: String) {
        let head = "version: 1\napps:\n  com.example.A:\n    plugin: ColorFeed\n"
        self.init(head + "    usage: \(text)\n    tasks: { r: { kind: refresh } }\n", slip, write)
    }

    /// `text` names the plugin of an app.
    init(plugin text: String, _ write: String) {
        let tasks = "    tasks: { r: { kind: refresh } }\n"
        let head = "version: 1\napps:\n  com.example.A:\n    usage: manual\n"
        self.init(head + "    plugin: \(text)\n" + tasks, "plugin: \(text)", "plugin: \(write)")
    }

    static func whole(task text: String) -> String {
        whole(app: "tasks:\n  r:\n" + indented(text))
    }

    static func whole(app text: String) -> String {
        "version: 1\napps:\n  com.example.A:\n    plugin: ColorFeed\n    usage: manual\n" + indented(text)
            + "\n"
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
            .joined(separator: "\n")
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var other = self
        change(&other)
        return other
    }

    func about(_ words: String) -> Self { with { $0.about = words } }
    var prose: Self { with { $0.isProse = true } }
    func leaving(_ warnings: String...) -> Self { with { $0.leaves = warnings } }

    /// The diagnostics of the fault.
    var diagnostics: [Diagnostic] {
        read(faulty, on: before).diagnostics.filter {
            about.isEmpty || $0.message.contains(about) || $0.fix.contains(about)
        }
    }

    var fix: String? { diagnostics.first?.fix }

    /// The texts that the remedy writes out to be copied.
    static func proposals(in fix: String) -> [String] {
        fix.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
    }

    /// The proposals that the mended manifest holds and the faulty one did not.
    var followed: [String] {
        func count(_ text: String, _ bytes: [UInt8]) -> Int {
            String(decoding: bytes, as: UTF8.self).ranges(of: text).count
        }
        return Self.proposals(in: fix ?? "").filter { count($0, mended) > count($0, faulty) }
    }
}
