import Dispatch
import Foundation
import Logging
import LullCommands
import LullModel
import Synchronization

/// The broker from which one app gets pushes.
struct MQTTDoor: Codable, Equatable {
    let app: AppIdentifier
    let source: MQTTSource
    /// The most bytes of a payload.
    let maxBytes: Int

    static func all(in manifest: Manifest) -> [MQTTDoor] {
        manifest.apps.compactMap { app in
            guard let rules = app.push, let source = rules.mqtt else { return nil }
            return MQTTDoor(app: app.identifier, source: source, maxBytes: rules.maxBytes)
        }
    }
}

/// `lull mqtt` beside a host: a process of its own, so that no process that decides parses a broker's messages, and hosts
/// without brokers do not load libmosquitto.
///
/// It ends with its standard input, so with this process. The first line there lists the apps and their brokers.
final class MQTTProcess: Sendable {
    private struct State {
        var doors: [MQTTDoor] = []
        var program: Process?
        var backoff = RestartBackoff()
        var begun = ContinuousClock.now
    }

    private let arguments: [String]
    private let logger: Logger
    private let state = Mutex(State())

    init(options: StateOptions, logger: Logger) {
        arguments = ["mqtt", "--state", options.folder.path]
        self.logger = logger
    }

    /// Replaces the brokers by those of another manifest.
    func follow(_ manifest: Manifest) {
        let doors = MQTTDoor.all(in: manifest)
        state.withLock { state in
            guard doors != state.doors else { return }
            state.doors = doors
            end(&state)
            if !doors.isEmpty { start(&state) }
        }
    }

    private func end(_ state: inout State) {
        // Nobody waits for its end.
        (state.program?.standardInput as? Pipe)?.fileHandleForWriting.closeFile()
        state.program = nil
    }

    private func start(_ state: inout State) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        let input = Pipe()
        process.standardInput = input
        process.terminationHandler = { [weak self] process in self?.ended(process) }
        state.begun = .now
        do {
            try process.run()
            state.program = process
            try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(state.doors) + [10])
        } catch {
            logger.error("MQTT: no process can be started: \(error.localizedDescription)")
            end(&state)
            startLater(&state)
        }
    }

    private func ended(_ process: Process) {
        state.withLock { state in
            // Another has taken its place, or none is wanted.
            guard state.program === process else { return }
            state.program = nil
            startLater(&state)
        }
    }

    private func startLater(_ state: inout State) {
        let wait = state.backoff.afterEnd(lived: .now - state.begun).components.seconds
        logger.error("The process for MQTT has ended. Lull starts it again in \(wait) s; the host goes on.")
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(wait))) { [weak self] in
            self?.state.withLock { state in
                guard let self, state.program == nil, !state.doors.isEmpty else { return }
                self.start(&state)
            }
        }
    }
}
