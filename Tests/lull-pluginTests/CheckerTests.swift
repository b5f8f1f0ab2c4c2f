import Foundation
import LullModel
import TestSupport
import Testing

@testable import lull_plugin

/// What the checks make of a plugin's file, without running any of it; `EndToEndTests` put whole plugins through them.
struct CheckerTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func report(
        _ bytes: Data, only: Set<PluginCheck> = [], told: (Finding) -> Void = { _ in }
    ) throws -> PluginReport {
        let plugin = folder.path + "/libPlugin.so"
        try bytes.write(to: URL(fileURLWithPath: plugin))
        return try withoutActuallyEscaping(told) { told in
            try Checker(
                plugin: plugin, app: nil, worker: "/bin/false", scratch: folder.path, only: only,
                settingsFault: { _ in nil }, draw: { 7 }, onFinding: told
            ).run()
        }
    }

    @Test func `what is no library fails the first check, and the others say why they were left out`() throws
    {
        let report = try report(Data("no plugin\n".utf8))
        #expect(report.findings.map(\.check) == PluginCheck.allCases)
        let first = try #require(report.findings.first)
        #expect(first.check == .isALibrary && first.verdict == .fault)
        #expect(first.sentences.first?.contains("libPlugin.so") == true, "\(first.sentences)")
        for finding in report.findings.dropFirst() {
            #expect(finding.verdict == .skipped && finding.sentences == ["the file is not a plugin"])
        }
        #expect(report.builtAgainst == nil && report.has(.fault) && !report.has(.good))
    }

    @Test func `a library without an entry passes the first check alone`() throws {
        let library = try #require(Self.libraries.first { FileManager.default.fileExists(atPath: $0) })
        let report = try report(Data(contentsOf: URL(fileURLWithPath: library)))
        #expect(report.findings.prefix(2).map(\.verdict) == [.good, .fault], "\(report.findings)")
        #expect(report.findings.prefix(2).map(\.check) == [.isALibrary, .entryExported])
    }

    /// One that every glibc has.
    private static let libraries = [
        "/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6", "/lib64/libm.so.6",
    ]

    @Test func `only what is asked for is reported, and each finding is told once, as it is made`() throws {
        var told: [PluginCheck] = []
        let report = try report(Data("x".utf8), only: [.isALibrary, .completes]) { told.append($0.check) }
        #expect(report.findings.map(\.check) == [.isALibrary, .completes])
        #expect(told == [.isALibrary, .completes])
    }

    @Test func `every check has a name for the command line and says what it asks`() {
        #expect(Set(PluginCheck.allCases.map(\.meaning)).count == PluginCheck.allCases.count)
        for check in PluginCheck.allCases {
            #expect(check.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(check.rawValue)")
            #expect(!check.meaning.hasSuffix("."), "\(check.meaning)")
        }
    }

    @Test func `a process is looked at by its number, and one that is gone has no look`() throws {
        let look = try #require(WorkerLook(getpid()))
        #expect(look.threads >= 1 && look.descriptors.count >= 3)
        #expect(WorkerLook(0) == nil)
        try Data().write(to: URL(fileURLWithPath: folder.path + "/left"))
        #expect(WorkerLook.names(in: folder.path) == ["left"])
        #expect(WorkerLook.names(in: folder.path + "/nowhere").isEmpty)
    }
}
