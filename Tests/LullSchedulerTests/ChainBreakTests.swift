import LullModel
import Testing

@testable import LullScheduler

/// The run that broke a chain, as a later task of the chain names it.
struct ChainBreakTests {
    private static let last = Sample.task("com.example.Feed.last")

    /// cleaning → indexing → last.
    private func host(_ wanted: ChainOutcome = .success, repeats: Duration? = nil) -> TestHost {
        func define(_ task: TaskIdentifier, after: TaskIdentifier?) -> TaskDefinition {
            Sample.definition(task, .processing) { definition in
                definition.requires.idle = false
                definition.repeat = after == nil ? repeats : nil
                definition.on = after.map { [.after($0, wanted)] } ?? []
            }
        }
        return TestHost(
            Sample.manifest([
                define(Sample.cleaning, after: nil), define(Sample.indexing, after: Sample.cleaning),
                define(Self.last, after: Sample.indexing),
            ]))
    }

    private func root(_ host: TestHost, _ task: TaskIdentifier) -> ChainBreak? {
        host.state.report(at: host.now).tasks.first { $0.task == task }?.brokenChain
    }

    @Test(arguments: [nil, Duration.hours(6)])
    func `both tasks behind a failure lead to it, also while it waits to be tried again`(repeats: Duration?) {
        var host = host(repeats: repeats)
        if host.running.isEmpty { _ = host.submit(Sample.cleaning) }
        #expect(root(host, Sample.indexing) == nil)
        host.complete(success: false)
        let broken = ChainBreak(task: Sample.cleaning, outcome: .failed, ended: host.now.wall)
        #expect(root(host, Sample.indexing) == broken && root(host, Self.last) == broken)
        #expect(
            host.gate(.requested, of: Self.last)?.reason.contains(
                "com.example.Feed.indexing did not run: com.example.Feed.cleaning failed at 00:00") == true)
    }

    @Test func `a chain that went through, or waits for a failure that did not come, is not broken`() {
        var well = host()
        _ = well.submit(Sample.cleaning)
        for _ in 0..<3 { well.complete() }
        #expect(well.launches(of: Self.last).count == 1)
        #expect(root(well, Sample.indexing) == nil && root(well, Self.last) == nil)
        var failing = host(.failure)
        _ = failing.submit(Sample.cleaning)
        failing.complete()
        #expect(root(failing, Sample.indexing) == nil && root(failing, Self.last) == nil)
    }
}
