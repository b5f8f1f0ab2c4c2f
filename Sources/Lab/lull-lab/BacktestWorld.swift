import Foundation
import LullCommands
import LullHistory
import LullHost
import LullModel
import LullSimulator
import LullSystem
import LullUsage

/// The data that is replayed: a file of uses under a made-up manifest, or this host's uses under its own.
struct BacktestWorld: Sendable {
    /// A refresh task and the app of the log whose uses it is scored by.
    struct Subject: Sendable {
        let task: TaskDefinition?
        /// The place in the log; nil: the app has never been used.
        let app: Int?
        let name: String
    }

    /// With fewer uses, or over fewer days, a figure would be chance.
    static let leastUses = 20
    static let leastDays = 14.0

    let source: String
    let log: BacktestLog
    let isOfHost: Bool
    let objective: Objective
    let subjects: [Subject]
    private let manifest: Manifest?
    private let zone: Zone

    init(usage path: String, objective: Objective) throws {
        let rows: [UsageRow]
        do throws(ImportError) {
            rows = try UsageFile.read(path)
        } catch {
            throw Failure([error.message, error.fix].filter { !$0.isEmpty }.joined(separator: "\n"))
        }
        source = path == "-" ? "standard input" : path
        guard !rows.isEmpty else { throw Failure("\(source) has no use. Give a file with at least one.") }
        log = BacktestLog(
            rows.map {
                .init(app: $0.app, time: $0.time.seconds, offset: $0.offsetMinutes * 60)
            })
        isOfHost = false
        self.objective = objective
        subjects = log.apps.enumerated().map { Subject(task: nil, app: $0, name: $1.name) }
        manifest = nil
        zone = .utc
    }

    init(options: StateOptions, file: String?) throws {
        let folder = try options.checkedFolder().path
        options.noteManifest(file)
        let manifest = try options.readManifest(file, showsWarnings: false)
        let refreshes = manifest.apps.filter(\.enabled).flatMap(\.tasks)
            .filter { $0.kind == .refresh && $0.enabled }
        guard !refreshes.isEmpty else {
            throw Failure(
                "\(manifest.path) has no enabled refresh task, and only refreshes follow uses. "
                    + "Add one with `kind: refresh`, or replay a file with --usage.")
        }
        let apps = Set(refreshes.map(\.app))
        var uses: [BacktestLog.Use] = []
        zone = ZoneLoader.load([], around: Clock.wall).host
        do {
            let history = try SQLiteHistory.open(folder: folder, mode: .readOnly)
            for event in try history.events(matching: HistoryQuery(names: [.used]))
            where apps.contains(event.app) {
                uses.append(
                    .init(app: event.app.text, time: event.time.seconds, offset: zone.offset(at: event.time)))
            }
        } catch {
            guard case .missing = error else { throw Failure(error.message + "\n" + error.fix) }
        }
        let idleAfter = Dictionary(
            manifest.apps.map {
                ($0.identifier.text, $0.idleAfter.map { $0.milliseconds / 1000 } ?? .max / 8)
            }
        ) { first, _ in first }
        let log = BacktestLog(uses) { idleAfter[$0] ?? BacktestApp.week }
        let places = Dictionary(uniqueKeysWithValues: log.apps.enumerated().map { ($1.name, $0) })
        source = "the history in \(folder)"
        self.log = log
        self.manifest = manifest
        isOfHost = true
        objective = .both
        subjects = refreshes.map {
            Subject(task: $0, app: places[$0.app.text], name: $0.identifier.text)
        }
    }

    /// The subjects with enough uses for a figure.
    var scored: [Subject] { subjects.filter(isEnough) }

    /// The apps of the scored subjects, once for each.
    var apps: [BacktestApp] { scored.compactMap { $0.app.map { log.apps[$0] } } }

    func isEnough(_ subject: Subject) -> Bool {
        guard let place = subject.app else { return false }
        let app = log.apps[place]
        // The caller has chosen the file: every app of it is scored that can be.
        guard isOfHost else { return app.liveDays > 0 }
        return app.uses.count >= Self.leastUses && app.days >= Self.leastDays
    }

    /// - Parameter budget: instead of each task's own; nil: its own.
    func backtest(budget: Double?) -> Backtest {
        guard var manifest else {
            return Backtest(log, budget: budget ?? BudgetList.usualOne, objective: objective)
        }
        if let budget {
            for app in manifest.apps.indices {
                for task in manifest.apps[app].tasks.indices {
                    manifest.apps[app].tasks[task].budget = budget
                    manifest.apps[app].tasks[task].freshShare = nil
                }
            }
        }
        return Backtest(log, manifest: manifest, zone: zone)
    }

    /// The launches of each scored subject.
    func launches(_ all: [Backtest.Launches]) -> [[Double]] {
        let ofTask = Dictionary(all.map { ($0.task, $0.times) }) { first, _ in first }
        let ofApp = Dictionary(all.map { ($0.app, $0.times) }) { first, _ in first }
        return scored.map { subject in
            let times =
                subject.task.map { ofTask[$0.identifier] ?? [] } ?? subject.app.flatMap { ofApp[$0] } ?? []
            return times.map(Double.init)
        }
    }
}

extension BacktestApp {
    /// From the first use to the last.
    var days: Double { Double((uses.last ?? 0) - (uses.first ?? 0)) / Double(Self.day) }
}
