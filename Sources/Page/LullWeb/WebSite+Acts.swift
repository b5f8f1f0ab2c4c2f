import LullControl
import LullModel

/// The orders of the page's buttons: the same as those of the commands.
extension WebSite {
    nonisolated func order(
        _ act: WebRoute.TaskAct, _ task: TaskIdentifier, _ query: [String: String]
    ) async throws -> any Order {
        switch act {
        case .launch: Ask.Launch(task, params: try Self.params(query))
        case .stop: Ask.Expire(task)
        case .cancel: Ask.Cancel(task)
        case .submit: Ask.Submit(task, params: try Self.params(query))
        case .pause: try Self.pause(.task(task), query)
        case .resume: Ask.Resume(.task(task))
        case .enable: Ask.Enable(try await app(of: task), true, task: task)
        case .disable: Ask.Enable(try await app(of: task), false, task: task)
        }
    }

    /// `params[date]=2026-11-30`. An unknown key is refused: ignoring it would run the task with another value than was meant.
    private static func params(_ query: [String: String]) throws -> [String: String]? {
        var params: [String: String] = [:]
        for (key, value) in query {
            guard key.hasPrefix("params["), key.hasSuffix("]"), key.utf8.count > 8 else {
                throw WebRefusal(400, "'\(key)' is not understood here. There is params[NAME].")
            }
            params[String(key.dropFirst(7).dropLast())] = value
        }
        return params.isEmpty ? nil : params
    }

    /// As the command refuses `--param day`: an empty value may be another than was meant.
    static func refuseParamsAlone(_ act: WebRoute.TaskAct, _ request: Request) throws {
        guard act == .launch || act == .submit, let name = request.namesAlone.sorted().first else { return }
        throw WebRefusal(400, "'\(name)' has no value here. Write params[NAME]=VALUE.")
    }

    /// The app that a change is about; nil: the host as a whole.
    nonisolated func app(of route: WebRoute) async throws -> AppIdentifier? {
        switch route {
        case .app(let app, _): app
        case .task(let task, _): try await app(of: task)
        default: nil
        }
    }

    private nonisolated func app(of task: TaskIdentifier) async throws -> AppIdentifier {
        guard let status = try await answers.report().tasks.first(where: { $0.task == task }) else {
            throw WebRefusal(404, "jobs.yaml does not list \(task).")
        }
        return status.app
    }

    static func order(
        _ act: WebRoute.AppAct, _ app: AppIdentifier, _ query: [String: String]
    ) throws -> any Order {
        switch act {
        case .used: Ask.Used(app)
        case .enable: Ask.Enable(app, true)
        case .disable: Ask.Enable(app, false)
        case .pause: try pause(.app(app), query)
        case .resume: Ask.Resume(.app(app))
        }
    }

    static func order(_ act: WebRoute.HostAct, _ query: [String: String]) throws -> any Order {
        switch act {
        case .reload: Ask.Reload()
        case .pause: try pause(.all, query)
        case .resume: Ask.Resume(.all)
        }
    }

    /// An unknown key is refused: ignoring it could pause for ever what was meant to be paused for a while.
    private static func pause(_ scope: Pause.Scope, _ query: [String: String]) throws -> any Order {
        for key in query.keys where key != "until" {
            throw WebRefusal(400, "'\(key)' is not known here. The key here is: until.")
        }
        return Ask.Pause(
            scope, until: try query["until"].map { try time("until", $0) }, reason: nil)
    }
}
