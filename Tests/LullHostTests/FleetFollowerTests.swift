import Foundation
import LullFleet
import LullManifest
import LullModel
import LullScheduler
import TestSupport
import Testing

@testable import LullHost

/// A host takes the manifest of its fleet, or changes nothing and says why.
struct FleetFollowerTests {
    /// The database, the host, and a thread that finishes each job at once.
    private final class Bench {
        let temporary: TemporaryFolder
        var path: String { temporary.path + "/fleet.yaml" }
        var texts: [Int64: String] = [:]
        /// All calls except those for texts.
        var calls: [String] = []
        var isAway = false
        var fault: String?
        /// The hash that the database gives for each text; nil: the real one.
        var hash: String?
        var said: [String] = []
        private var follower: FleetFollower?

        init() throws {
            temporary = try TemporaryFolder()
            start()
        }

        /// Starts the follower as after a restart of the host.
        func start() {
            let fault = { [unowned self] in self.fault }
            follower = FleetFollower(
                path, as: FleetIdentity(host: "h", place: "p", name: "web1"),
                call: { [unowned self] function, json, then in call(function, json, then) },
                FleetFollower.Ways(
                    aside: { work, then in then(work()) },
                    judge: { [box = Box(fault)] _, _ in box.value() },
                    taken: { [unowned self] in said.append($0) },
                    trouble: { [unowned self] in said.append($0) }))
        }

        // Its closures are called at once, on the test's own thread.
        private struct Box: @unchecked Sendable {
            let value: () -> String?
            init(_ value: @escaping () -> String?) { self.value = value }
        }

        private func call(
            _ function: String, _ json: String, _ then: @escaping (Result<String, FleetUnanswered>) -> Void
        ) {
            guard !isAway else { return then(.failure(.away)) }
            guard function == "manifest_1" else {
                calls.append(function + json)
                return then(.success("{}"))
            }
            let number = Int64(json.filter(\.isNumber)) ?? 0
            guard let text = texts[number] else { return then(.success(#"{"manifest": null}"#)) }
            let hash = hash ?? ManifestReader.hash(text.utf8)
            then(
                .success(
                    #"{"manifest": {"number": \#(number), "hash": "\#(hash)", "text": "\#(text.replacing("\n", with: "\\n"))"}}"#
                ))
        }

        /// The answer to a heartbeat.
        func beat(_ number: Int64?) { follower?.heard(number.map(name)) }
        func look() { follower?.look() }
        func name(_ number: Int64) -> FleetManifestName {
            number == 0
                ? .none
                : FleetManifestName(number, hash: hash ?? ManifestReader.hash((texts[number] ?? "").utf8))
        }
        var has: FleetManifestName? { follower?.has }
        var file: String? { try? String(contentsOfFile: path, encoding: .utf8) }
    }

    private static let one = "version: 1\napps: {}\n"

    @Test func `what the fleet has is put into the file, and known after a restart`() throws {
        let bench = try Bench()
        bench.texts = [3: Self.one, 4: "version: 1\n"]
        #expect(bench.has == FleetManifestName.none)
        bench.beat(3)
        #expect(
            bench.has == bench.name(3)
                && bench.said == ["Manifest 3 of the fleet is in force: \(bench.path)."])
        #expect(bench.file?.hasPrefix(Self.one + "# Manifest 3 of the fleet (") == true)
        bench.start()
        #expect(bench.has == bench.name(3))
        bench.beat(3)
        bench.beat(nil)
        #expect(bench.said.count == 1, "there is nothing to do")
        bench.beat(4)
        #expect(bench.file?.hasPrefix("version: 1\n# Manifest 4") == true)
        bench.beat(0)
        #expect(bench.file == nil && bench.has == FleetManifestName.none && bench.said.count == 3)
        #expect(bench.calls.isEmpty)
    }

    @Test func `what can't be taken changes nothing, and the fleet is told once`() throws {
        let bench = try Bench()
        bench.texts = [3: Self.one, 4: Self.one + "# more\n"]
        bench.beat(3)
        let before = bench.file
        bench.fault = "fleet.yaml:2: no."
        bench.isAway = true
        bench.beat(4)
        #expect(bench.said.count == 1, "the database is away")
        bench.isAway = false
        bench.beat(4)
        #expect(bench.said.last == "Manifest 4 of the fleet can't be used: fleet.yaml:2: no.")
        #expect(bench.file == before && bench.has == bench.name(3))
        bench.beat(4)
        #expect(
            bench.calls.count == 1 && bench.calls[0].contains(#""number":4"#)
                && bench.calls[0].contains("fleet.yaml:2: no."))
    }

    @Test func `what a person has written is not written over, and what they changed is`() throws {
        let bench = try Bench()
        bench.texts = [3: Self.one]
        try "apps: {}\n".write(toFile: bench.path, atomically: true, encoding: .utf8)
        bench.start()
        bench.beat(3)
        #expect(bench.file == "apps: {}\n")
        #expect(bench.said.last?.contains("Lull did not write") == true)
        try FileManager.default.removeItem(atPath: bench.path)
        bench.start()
        bench.beat(3)
        let written = try #require(bench.file)
        for changed in [
            "# mine\n" + written, written + "# mine\n", written.replacing("apply", with: "aply"),
            written + written,
        ] {
            try changed.write(toFile: bench.path, atomically: true, encoding: .utf8)
            bench.said = []
            bench.look()
            #expect(bench.said.first?.contains("was changed by hand") == true, "\(changed)")
            #expect(bench.has == FleetManifestName.none)
            bench.beat(3)
            #expect(bench.file == written)
        }
    }

    @Test func `a text that is not the one that was applied is not taken`() throws {
        let bench = try Bench()
        bench.texts = [3: Self.one]
        bench.hash = "0123456789abcdef"
        bench.beat(3)
        #expect(bench.file == nil && bench.said.last?.contains("Apply it again") == true)
        #expect(bench.calls.count == 1)
    }
}
