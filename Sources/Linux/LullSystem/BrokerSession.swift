private import CLullShims
private import Glibc
public import LullModel

/// One connection to an MQTT broker, on the caller's thread.
public struct BrokerSession: Sendable {
    /// Why a session ended.
    public enum End: Sendable, Equatable {
        case noLibrary

        /// That there is no libmosquitto, with the remedy.
        public static let noLibrarySentence =
            "MQTT needs libmosquitto.so.1, which is missing: `apt-get install libmosquitto1`."

        /// A message could not be kept, so it was not acknowledged to the broker.
        case refusedMessage
        /// The error message of the broker or the network.
        case said(String)
    }

    /// Whether libmosquitto is there.
    public static var hasLibrary: Bool { lull_mqtt_is_there() }

    private let source: MQTTSource
    private let client: String
    private let password: String?

    /// By the name `client` the broker keeps the messages that come while there is no connection.
    public init(_ source: MQTTSource, client: String, password: String?) {
        self.source = source
        self.client = client
        self.password = password
    }

    /// Receives until the connection ends.
    ///
    /// - Parameters:
    ///   - ready: called once all topics are subscribed to.
    ///   - deliver: gets a topic and its message; false when it could not be kept. The session then ends before the
    ///     broker is told that the message came, so it comes again.
    public func receive(
        ready: @Sendable () -> Void, deliver: @Sendable (String, [UInt8]) -> Bool
    ) -> End {
        var kept: [UnsafeMutablePointer<CChar>] = []
        defer { for text in kept { free(text) } }
        func c(_ text: String) -> UnsafePointer<CChar> {
            // Memory for a name: there is none only when nothing works any more.
            guard let copy = strdup(text) else { fatalError("There is no memory for \(text).") }
            kept.append(copy)
            return UnsafePointer(copy)
        }
        let topics = source.topics.map(c)
        var reason = [CChar](repeating: 0, count: 256)
        let code = withoutActuallyEscaping(ready) { ready in
            withoutActuallyEscaping(deliver) { deliver in
                let calls = Calls(ready: ready, deliver: deliver)
                return withExtendedLifetime(calls) {
                    topics.withUnsafeBufferPointer { topics -> Int32 in
                        // Not empty: the manifest's reader has seen to it.
                        guard let first = topics.baseAddress else { return 0 }
                        var broker = lull_mqtt_broker(
                            host: c(source.host), port: Int32(source.port), is_encrypted: source.isEncrypted,
                            client: c(client), user: source.user.map(c), password: password.map(c),
                            ca_file: source.caFile.map(c), topics: first, topic_count: topics.count)
                        return lull_mqtt_receive(
                            &broker, Unmanaged.passUnretained(calls).toOpaque(),
                            { context, topic, payload, size in
                                let content = UnsafeRawBufferPointer(start: payload, count: size)
                                return Calls.of(context)?.deliver(String(cString: topic), Array(content))
                                    ?? false
                            }, { Calls.of($0)?.ready() }, &reason, reason.count)
                    }
                }
            }
        }
        guard code == 0 else { return .noLibrary }
        let text = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.isEmpty ? .refusedMessage : .said(text)
    }

    private final class Calls {
        let ready: () -> Void
        let deliver: (String, [UInt8]) -> Bool

        init(ready: @escaping () -> Void, deliver: @escaping (String, [UInt8]) -> Bool) {
            self.ready = ready
            self.deliver = deliver
        }

        static func of(_ context: UnsafeMutableRawPointer?) -> Calls? {
            context.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
        }
    }
}
