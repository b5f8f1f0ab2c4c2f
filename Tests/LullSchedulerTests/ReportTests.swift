import LullModel
import Testing

@testable import LullScheduler

/// The report of `status`, of everything or of the part that is asked for.
@Suite struct `Reports` {
    private var host = TestHost(
        Sample.manifest([
            Sample.definition(Sample.cleaning, .processing), Sample.definition(Sample.refresh, .refresh),
        ]))

    @Test func `a task's report has its own row, its app's, and the host's facts`() throws {
        let all = host.state.report(at: host.now)
        let one = host.state.report(of: .task(Sample.cleaning), at: host.now)
        #expect(all.tasks.count == 2)
        #expect(one.tasks == all.tasks.filter { $0.task == Sample.cleaning })
        #expect(one.apps == all.apps)
        #expect(one.conditions == all.conditions)
        let app = try #require(all.apps.first?.app)
        #expect(host.state.report(of: .app(app), at: host.now) == all)
        #expect(host.state.names.tasks == all.tasks.map(\.task))
        #expect(host.state.names.apps == all.apps.map(\.app))
    }

    @Test func `a brief report has what a table shows: of the gates the closed ones`() {
        let all = host.state.report(at: host.now)
        let brief = host.state.report(isBrief: true, at: host.now)
        for (full, short) in zip(all.tasks, brief.tasks) {
            #expect(full.verdict.gates.count > short.verdict.gates.count)
            #expect(short.verdict.gates.map(\.reason) == full.verdict.closed.map(\.reason))
            #expect(short.verdict.gates.map(\.until) == full.verdict.closed.map(\.until))
            #expect(short.pending == nil)
            #expect(short.verdict.mayRun == full.verdict.mayRun)
        }
    }
}
