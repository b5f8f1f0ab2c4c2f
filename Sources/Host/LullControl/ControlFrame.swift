import Foundation
import LullModel

/// A frame of the control socket: four bytes of length, little-endian, then JSON.
///
/// Each says its version first: `{"version":2,"question":WORD,"content":…}`, and back `{"version":2,"answer":…}` or
/// `{"version":2,"refused":{"_0":SENTENCE}}`, where time alone helps with `"wait_ms"`. A refusal looks the same in every version, also in those to come, so that a
/// client and a host of different versions can tell each other what to do.
///
/// `"packed":true` behind the content asks for the same answer as `Packed` bytes: the status of a thousand tasks is read
/// in half the time. A host that does not know the word answers in JSON, and refusals always are JSON.
/// `"bearer":{"token":…,"person":…}` comes with an act over the page.
enum ControlFrame {
    enum Form { case json, packed }

    /// The version of the frame and of what a word's content means. A new word needs no new version.
    static let version = 2
    /// The most bytes of an import or an answer.
    static let limit = 64 << 20

    /// The word comes first, so that the host knows it before it has the whole frame.
    static func encode<Q: Question>(_ question: Q, for bearer: Bearer? = nil) throws -> [UInt8] {
        var body = head(of: Q.word) + (try JSONEncoder().encode(question)) + Data(",\"packed\":true".utf8)
        if let bearer { body += Data(",\"bearer\":".utf8) + (try JSONEncoder().encode(bearer)) }
        return frame(body + Data("}".utf8))
    }

    static func encode<Answer: Encodable>(
        _ answer: Result<Answer, ControlRefusal>, as form: Form = .json
    ) -> [UInt8] {
        do {
            let (key, value): (String, Data)
            switch answer {
            case .success(let answer) where form == .packed:
                return frame(try Packed.encode(PackedAnswer(answer: answer)))
            case .success(let answer): (key, value) = ("answer", try JSONEncoder().encode(answer))
            case .failure(let refusal):
                (key, value) = ("refused", try JSONEncoder().encode(Refused(refusal)))
            }
            return frame(Data("{\"version\":\(version),\"\(key)\":".utf8) + value + Data("}".utf8))
        } catch {
            return encode(Result<Answer, _>.refused("The host's answer can't be encoded: \(error)"))
        }
    }

    private static func head(of word: Ask.Word) -> Data {
        Data("{\"version\":\(version),\"question\":\"\(word.rawValue)\",\"content\":".utf8)
    }

    /// The beginning of an import, which alone may be long.
    static let importMark = Array(head(of: .importEvents))

    /// The version that a frame names in its first bytes; nil: none.
    static func version(head: ArraySlice<UInt8>) -> Int? {
        let label = Array("{\"version\":".utf8)
        guard head.starts(with: label) else { return nil }
        return Int(
            String(decoding: head.dropFirst(label.count).prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self))
    }

    static func question(_ body: Data) throws(ControlError) -> IncomingQuestion {
        do {
            return try read { try JSONDecoder().decode(IncomingQuestion.self, from: body) }
        } catch .notUnderstood(let what) {
            throw .notAsked(what)
        }
    }

    static func answer<Q: Question>(to question: Q.Type, _ body: Data) throws(ControlError) -> Q.Answer {
        typealias Incoming = IncomingAnswer<Q.Answer>
        return try read {
            Packed.isPacked(body)
                ? try Packed.decode(Incoming.self, from: body)
                : try JSONDecoder().decode(Incoming.self, from: body)
        }.answer
    }

    private static func read<Value>(_ decode: () throws -> Value) throws(ControlError) -> Value {
        do {
            return try decode()
        } catch let error as ControlError {
            throw error
        } catch {
            throw .notUnderstood("\(error)")
        }
    }

    private static func frame(_ body: some Collection<UInt8>) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(body.count + 4)
        withUnsafeBytes(of: UInt32(body.count).littleEndian) { frame.append(contentsOf: $0) }
        frame.append(contentsOf: body)
        return frame
    }

    /// The length of the first frame on the buffer; nil when it has not come yet.
    static func length(_ buffer: [UInt8]) -> Int? {
        guard buffer.count >= 4 else { return nil }
        return (0..<4).reduce(0) { $0 | Int(buffer[$1]) << (8 * $1) }
    }

    /// Takes the first whole frame off the buffer; nil when there is none yet.
    static func take(from buffer: inout [UInt8]) throws(ControlError) -> Data? {
        guard let length = length(buffer) else { return nil }
        guard length <= limit else { throw .frameTooLong(length) }
        guard buffer.count >= 4 + length else { return nil }
        let body = Data(buffer[4..<4 + length])
        buffer.removeFirst(4 + length)
        return body
    }
}

private enum Key: String, CodingKey {
    case version, question, packed, bearer, content, answer, refused
    case sentence = "_0"
    case wait = "wait_ms"
}

/// The version is read before anything else, for the rest depends on it.
struct IncomingQuestion: Decodable {
    let question: any Question
    /// The form in which the client can read the answer.
    let form: ControlFrame.Form
    /// Of an act that came over the page.
    let bearer: Bearer?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version == ControlFrame.version else { throw ControlError.clientSpeaks(version) }
        let name = try container.decode(String.self, forKey: .question)
        guard let word = Ask.Word(rawValue: name) else { throw ControlError.unknownQuestion(name) }
        form = try container.decodeIfPresent(Bool.self, forKey: .packed) == true ? .packed : .json
        bearer = try container.decodeIfPresent(Bearer.self, forKey: .bearer)
        question = try container.decode(word.question, forKey: .content)
    }
}

private struct Refused: Encodable {
    let refusal: ControlRefusal

    init(_ refusal: ControlRefusal) { self.refusal = refusal }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(refusal.sentence, forKey: .sentence)
        try container.encodeIfPresent(refusal.wait?.milliseconds, forKey: .wait)
    }
}

/// What `IncomingAnswer` reads.
private struct PackedAnswer<Answer: Encodable>: Encodable {
    var version = ControlFrame.version
    let answer: Answer
}

/// A refusal is read in any version: it may be about the version.
private struct IncomingAnswer<Answer: Decodable>: Decodable {
    let answer: Answer

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        // Answers of version 1 name no version.
        guard let version = try? container.decode(Int.self, forKey: .version) else {
            throw ControlError.hostSpeaks(1)
        }
        if let refusal = try? container.nestedContainer(keyedBy: Key.self, forKey: .refused) {
            let sentence = try refusal.decode(String.self, forKey: .sentence)
            let wait = try refusal.decodeIfPresent(Int64.self, forKey: .wait)
            guard let wait else { throw ControlError.refused(sentence) }
            throw ControlError.busy(sentence, wait: .milliseconds(max(0, wait)))
        }
        guard version == ControlFrame.version else { throw ControlError.hostSpeaks(version) }
        answer = try container.decode(Answer.self, forKey: .answer)
    }
}
