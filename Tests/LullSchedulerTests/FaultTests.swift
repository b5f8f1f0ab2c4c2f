import LullModel
import Testing

@testable import LullScheduler

/// Mistakes in an app's code for which iOS ends it: the mistake is named, and that app alone fails.
struct FaultTests {
    static let sentence =
        "It submitted com.example.Feed.cleaning at Feed.swift:12, but no handler is registered for it. "
        + "Register one before the plugin's start returns."
    static let manifest = Sample.manifest([
        Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
        Sample.definition(Sample.indexing, .processing) { $0.requires.idle = false },
        Sample.definition(Sample.otherWork, of: Sample.other, .processing) { $0.requires.idle = false },
    ])

    @Test func `a fatal fault is in the history with its identifier and both places, and why says it`() {
        var host = TestHost(Self.manifest)
        host.handle(
            .violation(
                host.last(Sample.feed), nil, task: Sample.cleaning, sentence: Self.sentence, isFatal: true))
        let event = host.records.last { $0.event == .violation }
        #expect(event?.task == Sample.cleaning && event?.reason == Self.sentence)
        #expect(event?.outcome == .killed)
        let gate = host.gate(.registered, of: Sample.cleaning)
        #expect(gate?.isOpen == true)
        #expect(
            gate?.reason
                == "the plugin registered a handler for it; one of its workers ended 0 s ago: "
                + Self.sentence)
        host.load(Self.manifest, stamp: "mended")
        #expect(
            host.gate(.registered, of: Sample.cleaning)?.reason == "the plugin registered a handler for it")
    }

    @Test func `its runs fail with the sentence, and the neighbour's go on`() {
        var host = TestHost(Self.manifest)
        _ = host.submit(Sample.indexing, from: Sample.feed)
        _ = host.submit(Sample.otherWork, from: Sample.other)
        #expect(host.running.count == 2)
        host.handle(
            .violation(
                host.last(Sample.feed), nil, task: Sample.cleaning, sentence: Self.sentence, isFatal: true))
        #expect(host.state.runs.values.map(\.task) == [Sample.otherWork])
        #expect(host.record(Sample.indexing)?.lastOutcome == .killed)
        #expect(host.record(Sample.indexing)?.lastReason == "its worker was killed: " + Self.sentence)
        #expect(host.gate(.backoff, of: Sample.indexing)?.isOpen == false)
        #expect(host.record(Sample.otherWork)?.failures == 0)
    }

    @Test func `a fault that ends nothing is recorded and holds nobody back`() {
        var host = TestHost(Self.manifest)
        host.handle(
            .violation(
                host.last(Sample.feed), nil, task: Sample.cleaning, sentence: "It dropped it.", isFatal: false
            ))
        #expect(host.records.last?.event == .violation && host.records.last?.outcome == nil)
        #expect(
            host.gate(.registered, of: Sample.cleaning)?.reason == "the plugin registered a handler for it")
        #expect(host.worker(Sample.feed) == .warm)
    }
}
