public import LullModel

/// A frame from a worker to the host. The host trusts none of it.
///
/// `registered` comes for each identifier that the plugin registers; then `hello`, when `start` has returned, or
/// `failed` and the end of the process. Submits and log lines may come before that; a continued task may be
/// registered after it.
public enum WorkerFrame: Sendable, Equatable {
    case registered(identifier: String)
    case hello(Hello)
    case failed(phase: StartPhase, sentence: String)
    case submit(sequence: UInt64, request: WireRequest)
    /// The plugin waited too long for the answer to this submit: it must have no effect.
    case withdraw(sequence: UInt64)
    /// Nil: all requests of the app.
    case cancel(sequence: UInt64, identifier: String?)
    case pending(sequence: UInt64)
    case launchReturned(run: UInt64)
    /// `childPeak`: the most memory in bytes that one of the worker's ended children has had; 0: none has ended.
    case completed(run: UInt64, success: Bool, childPeak: UInt64 = 0)
    /// Run 0: of no run in particular.
    case log(run: UInt64, level: LogLevel, message: String)
    /// Output of the run's child processes alone.
    case printed(run: UInt64, stream: PrintedStream, part: [UInt8])
    /// The worker has left out this many bytes of the output at this point.
    case skippedOutput(run: UInt64, bytes: UInt64)
    /// The run's credit is used up: its newest output is held until the host asks for it with `printOn`.
    case holdsOutput(run: UInt64)
    /// `total` 0: indeterminate.
    case progress(run: UInt64, completed: Int64, total: Int64, message: String)
    /// The titles of a continued run, for people.
    case titles(run: UInt64, title: String, subtitle: String)
    /// The run's report on the push that it was launched for.
    case reported(run: UInt64, text: String)
    /// The exit code of the run's program, as in a shell.
    case exitCode(run: UInt64, code: UInt8)
    case activityBegan(activity: UInt64, name: String)
    case activityEnded(activity: UInt64)
    /// `identifier` is empty: no task in particular. `isFatal`: the worker waits to be ended.
    case violation(run: UInt64, identifier: String, sentence: String, isFatal: Bool)

    /// A notification for people; the answer is a `submitReply`, and `withdraw` takes it back.
    case notify(sequence: UInt64, WireNotification)
    /// Asks for the notifications that wait, or for the delivered ones.
    case notifications(sequence: UInt64, delivered: Bool)
    /// Nil: all. The answer is a `cancelReply`.
    case removeNotifications(sequence: UInt64, delivered: Bool, identifiers: [String]?)
    /// The answer is a `submitReply`.
    case setBadge(sequence: UInt64, count: Int64)

    /// A packed `TransferOrder`; the answer is a `transferReply`, and `withdraw` takes it back.
    case transfer(sequence: UInt64, order: [UInt8])
    /// Asks for the transfers of a session, or of all if it is empty, with numbers above `after`.
    case transfers(sequence: UInt64, session: String, after: UInt64)
    /// The answer is a `submitReply`.
    case transferAct(sequence: UInt64, transfer: UInt64, TransferAct)
    /// A packed `TransferAnswer` to a challenge; the answer to it is a `submitReply`.
    case transferAnswer(sequence: UInt64, transfer: UInt64, answer: [UInt8])

    /// How many identifiers go into one `removeNotifications`.
    public static let identifiersInPart = 64

    public struct Hello: Sendable, Equatable {
        public var version: UInt32 = Wire.version
        public var abiMajor: UInt16
        public var abiMinor: UInt16
        /// The SDK that made the plugin's entry.
        public var sdk: String
        /// The build ID of the plugin's file, in hexadecimal; empty: it has none.
        public var buildID: String
        /// Whether each run needs a worker of its own.
        public var runsAlone: Bool

        public init(
            abiMajor: UInt16, abiMinor: UInt16, sdk: String, buildID: String, runsAlone: Bool = false
        ) {
            self.abiMajor = abiMajor
            self.abiMinor = abiMinor
            self.sdk = sdk
            self.buildID = buildID
            self.runsAlone = runsAlone
        }
    }

    private enum Code: UInt8 {
        case registered = 65, hello, failed, submit, withdraw, cancel, pending, launchReturned, completed,
            log, progress
        case violation, titles, activityBegan, activityEnded, printed, skippedOutput, holdsOutput,
            reported
        case notify, notifications, removeNotifications, setBadge
        case transfer, transfers, transferAct, transferAnswer
        case exitCode
    }

    /// The frame's bytes, in the memory of `buffer`.
    public func encoded(reusing buffer: consuming [UInt8] = []) -> [UInt8] {
        var writer = FrameWriter(reusing: buffer)
        switch self {
        case .registered(let identifier):
            writer.byte(Code.registered.rawValue)
            writer.text(identifier, atMost: Wire.nameBytes)
        case .hello(let hello):
            writer.byte(Code.hello.rawValue)
            writer.integer(hello.version)
            writer.integer(hello.abiMajor)
            writer.integer(hello.abiMinor)
            writer.text(hello.sdk, atMost: Wire.nameBytes)
            writer.text(hello.buildID, atMost: Wire.nameBytes)
            writer.flag(hello.runsAlone)
        case .failed(let phase, let sentence):
            writer.byte(Code.failed.rawValue)
            writer.byte(phase.rawValue)
            writer.text(sentence, atMost: Limits.reasonBytes)
        case .submit(let sequence, let request):
            writer.byte(Code.submit.rawValue)
            writer.integer(sequence)
            writer.request(request)
        case .withdraw(let sequence):
            writer.byte(Code.withdraw.rawValue)
            writer.integer(sequence)
        case .cancel(let sequence, let identifier):
            writer.byte(Code.cancel.rawValue)
            writer.integer(sequence)
            writer.flag(identifier != nil)
            writer.text(identifier ?? "", atMost: Wire.nameBytes)
        case .pending(let sequence):
            writer.byte(Code.pending.rawValue)
            writer.integer(sequence)
        case .launchReturned(let run):
            writer.byte(Code.launchReturned.rawValue)
            writer.integer(run)
        case .completed(let run, let success, let childPeak):
            writer.byte(Code.completed.rawValue)
            writer.integer(run)
            writer.flag(success)
            writer.integer(childPeak)
        case .log(let run, let level, let message):
            writer.byte(Code.log.rawValue)
            writer.integer(run)
            writer.byte(level.rawValue)
            writer.text(message, atMost: Limits.logLineBytes)
        case .printed(let run, let stream, let part):
            writer.byte(Code.printed.rawValue)
            writer.integer(run)
            writer.byte(stream.rawValue)
            writer.part(part)
        case .skippedOutput(let run, let bytes):
            writer.byte(Code.skippedOutput.rawValue)
            writer.integer(run)
            writer.integer(bytes)
        case .holdsOutput(let run):
            writer.byte(Code.holdsOutput.rawValue)
            writer.integer(run)
        case .progress(let run, let completed, let total, let message):
            writer.byte(Code.progress.rawValue)
            writer.integer(run)
            writer.integer(completed)
            writer.integer(total)
            writer.text(message, atMost: Limits.reasonBytes)
        case .violation(let run, let identifier, let sentence, let isFatal):
            writer.byte(Code.violation.rawValue)
            writer.integer(run)
            writer.text(identifier, atMost: Wire.nameBytes)
            writer.text(sentence, atMost: Limits.reasonBytes)
            writer.flag(isFatal)
        case .titles(let run, let title, let subtitle):
            writer.byte(Code.titles.rawValue)
            writer.integer(run)
            writer.text(title, atMost: Limits.titleBytes)
            writer.text(subtitle, atMost: Limits.titleBytes)
        case .exitCode(let run, let code):
            writer.byte(Code.exitCode.rawValue)
            writer.integer(run)
            writer.byte(code)
        case .reported(let run, let text):
            writer.byte(Code.reported.rawValue)
            writer.integer(run)
            writer.text(text, atMost: Limits.reasonBytes)
        case .activityBegan(let activity, let name):
            writer.byte(Code.activityBegan.rawValue)
            writer.integer(activity)
            writer.text(name, atMost: Wire.nameBytes)
        case .activityEnded(let activity):
            writer.byte(Code.activityEnded.rawValue)
            writer.integer(activity)
        case .notify(let sequence, let notification):
            writer.byte(Code.notify.rawValue)
            writer.integer(sequence)
            writer.notification(notification)
        case .notifications(let sequence, let delivered):
            writer.byte(Code.notifications.rawValue)
            writer.integer(sequence)
            writer.flag(delivered)
        case .removeNotifications(let sequence, let delivered, let identifiers):
            writer.byte(Code.removeNotifications.rawValue)
            writer.integer(sequence)
            writer.flag(delivered)
            writer.flag(identifiers != nil)
            if let identifiers { writer.texts(identifiers) }
        case .setBadge(let sequence, let count):
            writer.byte(Code.setBadge.rawValue)
            writer.integer(sequence)
            writer.integer(count)
        case .transfer(let sequence, let order):
            writer.byte(Code.transfer.rawValue)
            writer.integer(sequence)
            writer.part(order)
        case .transfers(let sequence, let session, let after):
            writer.byte(Code.transfers.rawValue)
            writer.integer(sequence)
            writer.text(session, atMost: Wire.nameBytes)
            writer.integer(after)
        case .transferAct(let sequence, let transfer, let act):
            writer.byte(Code.transferAct.rawValue)
            writer.integer(sequence)
            writer.integer(transfer)
            writer.byte(act.number)
        case .transferAnswer(let sequence, let transfer, let answer):
            writer.byte(Code.transferAnswer.rawValue)
            writer.integer(sequence)
            writer.integer(transfer)
            writer.part(answer)
        }
        return writer.bytes
    }

    /// Decodes a frame; throws `WireError` for bytes that are no valid frame.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Limits.frameBytes else { throw .tooLong(bytes: bytes.count) }
        var reader = FrameReader(bytes)
        let raw = try reader.byte()
        guard let code = Code(rawValue: raw) else { throw .unknownFrame(raw) }
        switch code {
        case .registered: self = .registered(identifier: try reader.text(atMost: Wire.nameBytes))
        case .hello: self = .hello(try Hello(from: &reader))
        case .failed:
            self = .failed(phase: try reader.value(), sentence: try reader.text(atMost: Limits.reasonBytes))
        case .submit: self = .submit(sequence: try reader.integer(), request: try reader.request())
        case .withdraw: self = .withdraw(sequence: try reader.integer())
        case .cancel:
            let sequence = try reader.integer(UInt64.self)
            let isOne = try reader.flag()
            let identifier = try reader.text(atMost: Wire.nameBytes)
            self = .cancel(sequence: sequence, identifier: isOne ? identifier : nil)
        case .pending: self = .pending(sequence: try reader.integer())
        case .launchReturned: self = .launchReturned(run: try reader.integer())
        case .completed:
            self = .completed(
                run: try reader.integer(), success: try reader.flag(), childPeak: try reader.integer())
        case .log:
            self = .log(
                run: try reader.integer(), level: try reader.value(),
                message: try reader.text(atMost: Limits.logLineBytes))
        case .printed:
            self = .printed(
                run: try reader.integer(), stream: try reader.value(),
                part: try reader.part(atMost: Wire.printedPart))
        case .skippedOutput: self = .skippedOutput(run: try reader.integer(), bytes: try reader.integer())
        case .holdsOutput: self = .holdsOutput(run: try reader.integer())
        case .progress:
            self = .progress(
                run: try reader.integer(), completed: try reader.integer(), total: try reader.integer(),
                message: try reader.text(atMost: Limits.reasonBytes))
        case .violation:
            self = .violation(
                run: try reader.integer(), identifier: try reader.text(atMost: Wire.nameBytes),
                sentence: try reader.text(atMost: Limits.reasonBytes), isFatal: try reader.flag())
        case .titles:
            self = .titles(
                run: try reader.integer(), title: try reader.text(atMost: Limits.titleBytes),
                subtitle: try reader.text(atMost: Limits.titleBytes))
        case .exitCode: self = .exitCode(run: try reader.integer(), code: try reader.integer())
        case .reported:
            self = .reported(
                run: try reader.integer(), text: try reader.text(atMost: Limits.reasonBytes))
        case .activityBegan:
            self = .activityBegan(
                activity: try reader.integer(), name: try reader.text(atMost: Wire.nameBytes))
        case .activityEnded: self = .activityEnded(activity: try reader.integer())
        case .notify: self = .notify(sequence: try reader.integer(), try reader.notification())
        case .notifications:
            self = .notifications(sequence: try reader.integer(), delivered: try reader.flag())
        case .removeNotifications:
            let sequence = try reader.integer(UInt64.self)
            let delivered = try reader.flag()
            let identifiers = try reader.flag() ? try reader.texts() : nil
            self = .removeNotifications(
                sequence: sequence, delivered: delivered, identifiers: identifiers)
        case .setBadge: self = .setBadge(sequence: try reader.integer(), count: try reader.integer())
        case .transfer:
            self = .transfer(
                sequence: try reader.integer(), order: try reader.part(atMost: Wire.packedBytes))
        case .transfers:
            self = .transfers(
                sequence: try reader.integer(), session: try reader.text(atMost: Wire.nameBytes),
                after: try reader.integer())
        case .transferAct:
            self = .transferAct(
                sequence: try reader.integer(), transfer: try reader.integer(), try reader.transferAct())
        case .transferAnswer:
            self = .transferAnswer(
                sequence: try reader.integer(), transfer: try reader.integer(),
                answer: try reader.part(atMost: Wire.packedBytes))
        }
        try reader.end()
    }
}

extension WorkerFrame.Hello {
    fileprivate init(from reader: inout FrameReader) throws(WireError) {
        let version = try reader.integer(UInt32.self)
        self.init(
            abiMajor: try reader.integer(), abiMinor: try reader.integer(),
            sdk: try reader.text(atMost: Wire.nameBytes), buildID: try reader.text(atMost: Wire.nameBytes),
            runsAlone: try reader.flag())
        self.version = version
    }
}
