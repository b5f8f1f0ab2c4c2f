import Foundation
import Glibc
import Subprocess
import SystemPackage

/// Runs one command to its end, in a process group of its own.
///
/// The group ends with the command: whatever it left behind is killed. Cancelling the Swift task that runs it
/// sends SIGTERM to the whole group, and SIGKILL to who is still there after the grace.
public struct CommandRun: Sendable {
    /// What a command keeps of the worker's environment; the rest is set here or in its settings.
    private static let kept = ["HOME", "LANG", "LC_ALL", "LOGNAME", "TZ", "USER"]
    /// Whose process this is, for where the worker's environment does not say it, as in a service of systemd's.
    public static var account: [String: String] {
        guard let entry = getpwuid(geteuid())?.pointee else { return [:] }
        let name = String(cString: entry.pw_name)
        return ["HOME": String(cString: entry.pw_dir), "LOGNAME": name, "USER": name]
    }

    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin"

    private let settings: CommandSettings
    private let environment: [String: String]
    private let folder: String?
    private let standardOutput: Int32
    private let standardError: Int32

    /// `inherited` is the environment that the worker has; the descriptors are where the output goes.
    public init(
        _ settings: CommandSettings,
        inherited: [String: String] = ProcessInfo.processInfo.environment.merging(account) { worker, _ in
            worker
        },
        standardOutput: Int32 = 1,
        standardError: Int32 = 2
    ) {
        self.settings = settings
        // The worker's own `HOME` is the app's; a command has its user's.
        environment = inherited.filter { Self.kept.contains($0.key) }
            .merging(inherited["LULL_USER_HOME"].map { ["HOME": $0] } ?? [:]) { $1 }
            .merging(["PATH": Self.defaultPath, "SHELL": settings.shell]) { $1 }
            .merging(settings.environment) { $1 }
        folder = settings.folder.map { [environment] in Self.folder($0, home: environment["HOME"] ?? "/") }
        self.standardOutput = standardOutput
        self.standardError = standardError
    }

    /// Waits for the command; throws `CommandError` when it could not be started.
    public func callAsFunction() async throws -> CommandOutcome {
        if let folder {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
            else {
                throw CommandError.noFolder(folder)
            }
        }
        try Task.checkCancellation()
        do {
            guard let input = settings.input else { return try await supervise(.none) }
            // A file and not a pipe: writing to a command that doesn't read would raise SIGPIPE in the
            // worker.
            let file = try StandardInput(holding: input)
            return try await supervise(.fileDescriptor(file.descriptor, closeAfterSpawningProcess: true))
        } catch let error as SubprocessError {
            throw sentence(error)
        }
    }

    private func supervise(_ input: some InputProtocol) async throws -> CommandOutcome {
        let grace = settings.grace
        let result = try await run(
            configuration,
            input: input,
            output: .fileDescriptor(
                FileDescriptor(rawValue: standardOutput), closeAfterSpawningProcess: false),
            error: .fileDescriptor(FileDescriptor(rawValue: standardError), closeAfterSpawningProcess: false)
        ) { execution in
            let group = ProcessGroup(leader: execution.processIdentifier.value)
            await group.leaderEnded()
            // The teardown sequence below has sent SIGTERM to the followers too: they have the grace as well.
            let isCancelled = Task.isCancelled
            return (
                leftBehind: await Self.end(group, after: isCancelled ? grace : .zero),
                isCancelled: isCancelled
            )
        }
        let ending: CommandOutcome.Ending =
            switch result.terminationStatus {
            case .exited(let code): .exited(code)
            case .signaled(let signal): .signaled(signal)
            }
        return CommandOutcome(
            ending: ending,
            isSuccess: !result.closureResult.isCancelled && isSuccess(ending),
            isCancelled: result.closureResult.isCancelled,
            leftBehind: result.closureResult.leftBehind,
            runsInShell: program == settings.shell,
            success: settings.success
        )
    }

    /// Kills who is left of the group once the grace is over; says how many that were.
    private static func end(_ group: ProcessGroup, after grace: Duration) async -> Int {
        // Detached, since a cancelled task can't wait.
        await Task.detached {
            let deadline = ContinuousClock.now + grace
            var left = group.livingFollowers()
            while left > 0, ContinuousClock.now < deadline {
                // They are not our children, so nothing tells when they end.
                try? await Task.sleep(for: .milliseconds(20))
                left = group.livingFollowers()
            }
            if left > 0 { group.send(SIGKILL) }
            return left
        }.value
    }

    private var configuration: Configuration {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: settings.grace)
        ]
        return Configuration(
            executable: program.contains("/") ? .path(FilePath(program)) : .name(program),
            arguments: Arguments(arguments),
            environment: .custom(
                Dictionary(
                    environment.compactMap { name, value in
                        Environment.Key(rawValue: name).map { ($0, value) }
                    },
                    uniquingKeysWith: { $1 }
                )
            ),
            workingDirectory: folder.map { FilePath($0) },
            platformOptions: options
        )
    }

    private static func folder(_ path: String, home: String) -> String {
        guard path == "~" || path.hasPrefix("~/") else { return path }
        return home + path.dropFirst()
    }

    private var program: String {
        switch settings.run {
        case .shell: settings.shell
        case .arguments(let list): list.first ?? ""
        }
    }

    private var arguments: [String] {
        switch settings.run {
        case .shell(let text): ["-c", text]
        case .arguments(let list): Array(list.dropFirst())
        }
    }

    private func isSuccess(_ ending: CommandOutcome.Ending) -> Bool {
        if case .exited(let code) = ending { settings.success.contains(code) } else { false }
    }

    private func sentence(_ error: SubprocessError) -> CommandError {
        switch error.code {
        case .executableNotFound: .notFound(program: program, path: environment["PATH"] ?? "")
        case .failedToChangeWorkingDirectory: .noFolder(folder ?? "")
        default: .spawn(program: program, reason: "\(error)")
        }
    }
}
