import LullModel

/// A manifest that contradicts itself, or probably does not say what is meant.
public enum SenseProblem: Sendable, Hashable {
    case continuedRepeats
    case continuedWaitsForIdleness
    case continuedHasTimes
    /// A command can't report its progress.
    case continuedCommand
    case repeatsAndHasTimes
    /// A key that says how the times of `at` are kept, in a task without `at`.
    case ofTimesAlone(Key)
    /// `latest` beside `at`.
    case latestOfTimes
    /// `retry` beside `at`.
    case retryOfTimes
    /// `limits` of a task whose plugin may run all tasks in one process.
    case limitsOfSharedWorker
    /// `exit_codes` without `attempts`.
    case exitCodesAlone
    /// `exit_codes` is an empty list.
    case noExitCodes
    /// The warning comes before the run begins.
    case warningNotBeforeLimit(warning: String, limit: String)
    case noSourceOfUse(app: String, idleAfter: String)
    case noApps
    /// There are no apps, and the manifest in force has `count`.
    case lostApps(count: Int)
    case noTasks(app: String)
    case repeatUnderGap(repeat: String, gap: String)
    /// A key that plans refreshes, in a task of another kind.
    case ofRefreshAlone(Key, kind: String)
    /// A restriction that an app with all privileges could remove.
    case restrictsPrivileged(Key)
    case limitedPathMissing(path: String)
    case groupName(String)
    /// An entry of `groups` whose value is not a number of tasks.
    case groupCount(String)
    /// Only one task is in the group.
    case groupAlone(String, nearest: String?)

    var isWarning: Bool {
        switch self {
        case .continuedRepeats, .continuedHasTimes, .repeatsAndHasTimes, .continuedWaitsForIdleness,
            .warningNotBeforeLimit, .noExitCodes, .restrictsPrivileged, .lostApps, .groupName, .groupCount:
            false
        case .noSourceOfUse, .noApps, .noTasks, .repeatUnderGap, .ofRefreshAlone, .ofTimesAlone,
            .latestOfTimes, .retryOfTimes, .exitCodesAlone, .limitsOfSharedWorker, .continuedCommand,
            .limitedPathMissing,
            .groupAlone:
            true
        }
    }

    var message: String {
        switch self {
        case .continuedRepeats: "a person begins a continued task, so it can't repeat"
        case .continuedHasTimes:
            "a person begins a continued task, so it can't have `at`"
        case .continuedCommand:
            "a command can't report progress, so Lull ends a continued run of it after "
                + Phrase.span(Limits.stallTime)
        case .repeatsAndHasTimes: "`at` and `repeat` both say when this task is launched"
        case .ofTimesAlone(let key):
            "`\(key.rawValue)` is about the times of `at`, but this task has no `at`"
        case .latestOfTimes:
            "`latest` limits the wait for a good moment, but a task with `at` does not wait for one"
        case .retryOfTimes:
            "`retry` has no effect without `attempts`: a failed run of `at` waits for its next time"
        case .limitsOfSharedWorker:
            "`limits` of a task hold only if each run has a worker of its own, as with the plugin Command; other runs share their app's"
        case .exitCodesAlone: "`exit_codes` has no effect without `attempts`"
        case .noExitCodes: "`exit_codes` is empty, so no failure would be tried again"
        case .continuedWaitsForIdleness:
            "this task can never run: a person begins a continued task, and `idle: true` "
                + "waits until nobody is there"
        case .warningNotBeforeLimit(let warning, let limit):
            "the warning comes \(warning) before the time limit of \(limit), so this task would "
                + "expire as it begins"
        case .noSourceOfUse(let app, let idleAfter):
            "\(quoted(app)) has no source of uses: \(idleAfter) after its discovery, Lull stops launching its tasks"
        case .noApps: "the manifest has no apps: nothing will run"
        case .lostApps(let count):
            "the manifest has no apps, but \(Phrase.count(count, "app")) \(count == 1 ? "is" : "are") in force"
        case .noTasks(let app): "the app \(quoted(app)) has no tasks: nothing of it will run"
        case .repeatUnderGap(let interval, let gap):
            "this task repeats every \(interval), but refreshes of an app are at least \(gap) apart"
        case .ofRefreshAlone(let key, let kind):
            "`\(key.rawValue)` is only for refresh tasks, and the kind of this task is \(kind)"
        case .restrictsPrivileged(let key):
            "`\(key.rawValue)` can't limit an app with `privileges: keep`"
        case .limitedPathMissing(let path):
            "there is nothing at \(path): the app will be started without access to it"
        case .groupName(let name): "\(quoted(name)) can't be the name of a group"
        case .groupCount(let name): "\(quoted(name)) in `groups` takes a number from 1 to 1000"
        case .groupAlone(let name, _):
            "no other task is in the group \(quoted(name)), so it holds nothing back"
        }
    }

    var fix: String {
        switch self {
        case .continuedRepeats: "take `repeat` out, or write `kind: refresh` or `kind: processing`"
        case .continuedHasTimes: "take `at` out, or write `kind: processing`"
        case .continuedCommand: "write `kind: processing`"
        case .repeatsAndHasTimes:
            "keep `at` for exact times, or `repeat` to let Lull choose the moment"
        case .ofTimesAlone(let key): "take `\(key.rawValue)` out, or write `\(Key.at.example)`"
        case .latestOfTimes: "take `latest` out, or write `repeat` instead of `at`"
        case .retryOfTimes: "write how many times it may run: `retry: { attempts: 3 }`, or take `retry` out"
        case .limitsOfSharedWorker: "write `limits` at the app"
        case .exitCodesAlone:
            "write how many times it may run: `retry: { attempts: 3, exit_codes: [75] }`, or take `exit_codes` out"
        case .noExitCodes: "write which are: `exit_codes: [75]`, or take it out: then all are"
        case .continuedWaitsForIdleness: "write `requires: { idle: false }` in this task"
        case .warningNotBeforeLimit:
            "write a longer `time_limit`, or a shorter warning: `grace: { warning: 1s }`"
        case .noSourceOfUse:
            "name a source under `usage`, or write `usage: manual` and call `lull used`, or write "
                + "`idle_after: never`"
        case .noApps: "list them under `apps:`"
        case .lostApps: "put them back; to run nothing, stop the host or run `lull pause --all`"
        case .noTasks: "list them under `tasks:`, such as `refresh: { kind: refresh }`"
        case .repeatUnderGap(let interval, _): "add `min_gap: \(interval)`, or write a longer `repeat`"
        case .ofRefreshAlone(let key, _): "take `\(key.rawValue)` out, or write `kind: refresh`"
        case .restrictsPrivileged(let key): "take `\(key.rawValue)` out, or `privileges: keep`"
        case .limitedPathMissing: "create it, or correct the path"
        case .groupName:
            "write letters and digits, with `-`, `_`, `.` or `/` between them, such as `group: database`"
        case .groupCount(let name): "write how many of its tasks may run at once, such as `\(name): 2`"
        case .groupAlone(_, let nearest?): "did you mean `group: \(nearest)`?"
        case .groupAlone(let name, nil):
            "write `group: \(name)` in the tasks that share it as well, or take it out"
        }
    }
}
