import Foundation
import LullModel

/// A message of a broker as the payload of a push, with its topic under `lull`.
///
/// The keys of a JSON object stand beside it, as a server for iOS would send them. Other JSON and text goes into `message`,
/// and bytes that are no text go into `base64`.
enum MQTTPayload {
    static func text(topic: String, content: [UInt8]) -> String {
        let origin = "\"lull\":{\"topic\":\(quoted(topic))}"
        guard let text = String(validating: content, as: UTF8.self), !content.contains(0) else {
            return "{\(origin),\"base64\":\"\(Data(content).base64EncodedString())\"}"
        }
        switch JSONValue(text: text) {
        case .object(let keys)? where keys["lull"] == nil:
            let inside = text.drop { $0 != "{" }.dropFirst()
            return "{" + origin + (keys.isEmpty ? "" : ",") + inside
        case .some: return "{\(origin),\"message\":\(text)}"
        case nil: return "{\(origin),\"message\":\(quoted(text))}"
        }
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
