import Foundation
import TestSupport
import Testing

/// `lull backtest` on the command line.
@Suite struct BacktestTests {
    private static let refresh = """
        version: 1
        apps:
          com.example.A:
            plugin: A
            usage: manual
            tasks:
              refresh: { kind: refresh, repeat: 15m, budget: 4 }
        """

    /// Uses over three weeks, at about nine o'clock.
    private static func usage(days: Int = 21) -> String {
        var text = "app,unix_seconds,utc_offset_minutes\n"
        for day in 0..<days {
            for (app, hour) in [("one", 9), ("two", 18)] {
                text += "\(app),\(1_700_006_400 + day * 86_400 + hour * 3600 + day * 97 % 1200),60\n"
            }
        }
        return text
    }

    private struct Report: Decodable {
        struct Run: Decodable {
            struct Freshness: Decodable {
                let within60: Double
                let launches_per_app_day: Double
            }
            let launch_count: Int
            let scheduler: Freshness
            let fixed_interval: Freshness
            let clairvoyant: Freshness
            let idle_launch_count: Int
            let close_launch_count: Int
        }
        let app_count: Int
        let use_count: Int
        let runs: [Run]
        let too_little: [String]
    }

    @Test func `a file of uses is replayed, and its launches are written for a scorer`() throws {
        let workshop = try Workshop()
        try workshop.write(Self.usage(), to: "uses.csv")
        let arguments = ["backtest", "--usage", "uses.csv", "--budget", "4", "--objective", "both"]
        let shown = try workshop.lull(arguments + ["--launches", "out.csv"])
        #expect(shown.status == 0, "\(shown.error)")
        for row in ["this scheduler", "fixed interval", "active hours", "clairvoyant"] {
            #expect(shown.output.contains(row))
        }
        let launches = try String(contentsOfFile: workshop.folder + "/out.csv", encoding: .utf8)
        #expect(launches.hasPrefix("app,unix_seconds\none,"))
        let result = try workshop.lull(arguments + ["--json", "--launches", "again.csv"])
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(report.app_count == 2 && report.use_count == 42 && report.too_little.isEmpty)
        let run = try #require(report.runs.first)
        #expect(run.idle_launch_count == 0 && run.close_launch_count == 0 && run.launch_count > 0)
        #expect(run.scheduler.within60 > run.fixed_interval.within60)
        #expect(run.clairvoyant.within60 == 1)
        // The same uses have the same launches.
        #expect(try String(contentsOfFile: workshop.folder + "/again.csv", encoding: .utf8) == launches)
    }

    @Test func `several budgets are tried`() throws {
        let workshop = try Workshop()
        try workshop.write(Self.usage(days: 8), to: "uses.csv")
        let result = try workshop.lull(
            "backtest", "--usage", "uses.csv", "--budgets", "2,8")
        #expect(result.status == 0, "\(result.error)")
        #expect(
            result.output.contains("At a budget of 2 launches")
                && result.output.contains("At a budget of 8 launches"))
    }

    @Test func `a host without a history is told what is missing`() throws {
        let workshop = try Workshop()
        try workshop.write(Self.refresh, to: "jobs.yaml")
        try workshop.write("", to: "plugins/libA.so")
        let result = try workshop.lull("backtest", "jobs.yaml")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("There is too little history yet"))
        #expect(result.output.contains("com.example.A.refresh: no use of its app is recorded."))
    }

    @Test func `a host's own uses are replayed under its manifest`() throws {
        let workshop = try Workshop()
        try workshop.write(Self.refresh, to: "jobs.yaml")
        try workshop.write("", to: "plugins/libA.so")
        let uses = (1...30).map { day in
            let time = Date(timeIntervalSinceNow: Double(-day * 86_400))
            return #"{"time":"\#(time.ISO8601Format())","event":"used","app":"com.example.A"}"#
        }
        let imported = try workshop.lull(
            "history", "import", "-", "--manifest", "jobs.yaml", input: uses.joined(separator: "\n"))
        #expect(imported.status == 0, "\(imported.error)")
        let result = try workshop.lull("backtest", "jobs.yaml")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("1 app of the history in"))
        #expect(result.output.contains("com.example.A.refresh"))
    }

    @Test(arguments: [
        (["--budget", "4"], "--budget goes with --usage FILE"),
        (["--launches", "x.csv"], "--launches goes with --usage FILE"),
        (["--usage", "u.csv", "jobs.yaml"], "With --usage no manifest is read"),
        (["--usage", "u.csv", "--budget=-1"], "--budget is between 0 and 96"),
        (["--usage", "u.csv", "--budget", "4", "--budgets", "1,2"], "leave out one of them"),
        (["--usage", "u.csv", "--budgets", "1,2", "--launches", "x"], "--launches writes one run"),
        (["--usage", "u.csv", "--budgets", "1,x"], "--budgets"),
        (["--usage", "u.csv", "--objective", "luck"], "--objective"),
        (["--usage", "u.csv"], "u.csv: the file can't be read"),
        (["--usage", "bad.csv"], "bad.csv:2:"),
    ])
    func `what can't be is refused with a sentence`(_ arguments: [String], _ words: String) throws {
        let workshop = try Workshop()
        try workshop.write("app,unix_seconds,utc_offset_minutes\na,noon,0\n", to: "bad.csv")
        let result = try workshop.lull(["backtest"] + arguments)
        #expect(result.status != 0)
        #expect(result.error.contains(words), "\(result.error)")
    }
}
