import ArgumentParser
import Foundation
import Glibc
import Logging
import LullCommands
import LullControl
import LullModel
import LullSystem
import Synchronization

/// Hands messages of brokers to the host that has started this process.
struct MQTTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mqtt", abstract: "Receive pushes from brokers; the host starts it.",
        shouldDisplay: false)

    @OptionGroup var options: StateOptions

    func run() throws {
        for number in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { signal(number, SIG_IGN) }
        guard let line = readLine(),
            let doors = try? JSONDecoder().decode([MQTTDoor].self, from: Data(line.utf8))
        else {
            throw Failure("A host starts `lull mqtt` for apps with `push: { mqtt }`. See docs/push.md.")
        }
        let logger = Logger.ofHost(.info)
        for door in doors {
            let receiver = MQTTReceiver(door, options, logger)
            Thread.detachNewThread { receiver.run() }
        }
        // This process ends with the host, which closes its standard input.
        while readLine() != nil {}
    }
}

/// Receives for one app, on a thread of its own, for as long as the process lives.
private final class MQTTReceiver: Sendable {
    private let door: MQTTDoor
    private let options: StateOptions
    private let stateFolder: String
    private let logger: Logger
    /// Messages that the host has taken.
    private let taken = Mutex(0)
    /// The longest time that a message waits for a busy host: the broker would take a longer silence for an end.
    private static let longestHold: Duration = .seconds(45)

    init(_ door: MQTTDoor, _ options: StateOptions, _ logger: Logger) {
        self.door = door
        self.options = options
        stateFolder = options.folder.path
        self.logger = logger
    }

    func run() -> Never {
        var backoff = RestartBackoff(longest: .seconds(60))
        var known = 0
        while true {
            let begun = ContinuousClock.now
            let trouble = receive()
            let taken = self.taken.withLock { $0 }
            if taken != known { backoff.reset() }
            known = taken
            let wait = backoff.afterEnd(lived: .now - begun)
            let broker = "Lull tries \(door.source.address) again"
            logger.error("\(door.app): \(trouble) \(broker) in \(wait.components.seconds) s.")
            let phrases = options.phrases
            tell("\(trouble) \(broker) \(phrases.exactly(phrases.now + wait)).")
            sleep(UInt32(wait.components.seconds))
        }
    }

    /// For `lull status` and `lull why`; if the host does not answer, the next attempt reports it again.
    private func tell(_ trouble: String?) {
        _ = try? ControlClient(stateFolder: stateFolder).ask(Ask.PushHindrance(of: door.app, .mqtt, trouble))
    }

    /// Receives until the connection ends; returns the reason as a sentence.
    private func receive() -> String {
        var password: String?
        if let file = door.source.passwordFile {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                return Self.trouble(with: file, "password") ?? "The password in \(file) is not UTF-8."
            }
            password = text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
        }
        // libmosquitto would say "Invalid input".
        if let trouble = door.source.caFile.flatMap({ Self.trouble(with: $0, "certificates") }) {
            return trouble
        }
        let session = BrokerSession(door.source, client: client, password: password)
        return switch session.receive(ready: { isReady() }, deliver: { keep($0, $1) }) {
        case .noLibrary: BrokerSession.End.noLibrarySentence
        case .refusedMessage: "A message could not be recorded, and was left with the broker."
        case .said(let text): "The broker said: \(text.withoutFullStop)."
        }
    }

    private static func trouble(with file: String, _ what: String) -> String? {
        if access(file, F_OK) != 0 { return "There is no file \(file) for the \(what)." }
        return access(file, R_OK) == 0
            ? nil : "The \(what) in \(file) can't be read: give the host's user the right to read it."
    }

    /// The client identifier, constant for a machine, a state and an app: by it the broker knows the messages not yet
    /// delivered.
    private var client: String {
        let machine =
            (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8))
            ?? ProcessInfo.processInfo.hostName
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (machine + stateFolder).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "lull-" + String(hash, radix: 16) + "-" + door.app.text
    }

    private func isReady() {
        tell(nil)
        logger.notice(
            "\(door.app): pushes come from \(door.source.address): \(door.source.topics.joined(separator: ", "))."
        )
    }

    /// True once the host has the message in its history, and also for one that no host would take.
    private func keep(_ topic: String, _ content: [UInt8]) -> Bool {
        let payload = MQTTPayload.text(topic: topic, content: content)
        guard payload.utf8.count <= door.maxBytes else {
            logger.error(
                "\(door.app): a message on \(topic) is dropped: with its topic it is \(payload.utf8.count) bytes long, and `max_size` is \(door.maxBytes)."
            )
            return true
        }
        return handOver(Push(payload: payload, isUrgent: door.source.isUrgent, source: .mqtt))
    }

    /// While the host is busy, the message waits here and further ones wait at the broker: none is lost, and the
    /// connection stays.
    private func handOver(_ push: Push) -> Bool {
        var held: Duration = .zero
        while true {
            do throws(ControlError) {
                _ = try ControlClient(stateFolder: stateFolder).ask(Ask.Push(push, to: door.app))
                taken.withLock { $0 += 1 }
                if held > .zero { tell(nil) }
                return true
            } catch {
                guard case .busy(let sentence, let wait) = error, held + wait <= Self.longestHold else {
                    logger.error("\(door.app): \(error.message)")
                    return false
                }
                if held == .zero {
                    logger.notice("\(door.app): \(sentence) Until then the broker keeps what comes.")
                    tell("\(sentence) Until then the broker keeps what comes.")
                }
                held += max(wait, .milliseconds(100))
                usleep(UInt32(max(wait, .milliseconds(100)).milliseconds * 1000))
            }
        }
    }
}
