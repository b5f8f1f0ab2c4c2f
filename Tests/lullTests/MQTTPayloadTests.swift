import LullModel
import Testing

@testable import lull

struct MQTTPayloadTests {
    @Test(arguments: [
        (#" {"new": 1} "#, #"{"lull":{"topic":"a/\"b"},"new": 1} "#),
        ("{}", #"{"lull":{"topic":"a/\"b"}}"#),
        (#"{"lull":1}"#, #"{"lull":{"topic":"a/\"b"},"message":{"lull":1}}"#),
        ("21.5", #"{"lull":{"topic":"a/\"b"},"message":21.5}"#),
        ("[1]", #"{"lull":{"topic":"a/\"b"},"message":[1]}"#),
        ("it's \"on\"", #"{"lull":{"topic":"a/\"b"},"message":"it's \"on\""}"#),
        ("", #"{"lull":{"topic":"a/\"b"},"message":""}"#),
    ])
    func `an object keeps its keys, and all else is its message`(content: String, payload: String) {
        let made = MQTTPayload.text(topic: "a/\"b", content: Array(content.utf8))
        #expect(made == payload)
        #expect(JSONValue(text: made) != nil)
    }

    @Test(arguments: [[0xFF, 0x00], [0x61, 0x00]] as [[UInt8]])
    func `what is no text is base64`(content: [UInt8]) {
        let made = MQTTPayload.text(topic: "t", content: content)
        #expect(made == #"{"lull":{"topic":"t"},"base64":"\#(content[0] == 0xFF ? "/wA=" : "YQA=")"}"#)
    }
}
