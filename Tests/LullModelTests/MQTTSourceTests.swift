import Testing

@testable import LullModel

struct MQTTSourceTests {
    @Test(arguments: [
        ("mqtt://broker", "mqtt://broker:1883"),
        ("mqtts://broker.example.org", "mqtts://broker.example.org:8883"),
        ("mqtt://127.0.0.1:18831", "mqtt://127.0.0.1:18831"), ("mqtts://[::1]:1", "mqtts://[::1]:1"),
        ("mqtt://[fe80::1]", "mqtt://[fe80::1]:1883"),
    ])
    func `an address has its scheme's port unless it names one`(text: String, whole: String) {
        #expect(MQTTSource(address: text)?.address == whole)
    }

    @Test(arguments: [
        "", "broker", "broker:1883", "http://broker", "mqtt://", "mqtt://broker:", "mqtt://broker:0",
        "mqtt://broker:65536", "mqtt://user:secret@broker", "mqtt://broker/topic", "mqtt://bro ker",
        "mqtt://[::1",
        "mqtt://[::1]x", "MQTT://broker",
    ])
    func `what is no address is none`(text: String) { #expect(MQTTSource(address: text) == nil) }

    // MQTT 3.1.1, 4.7.1.
    @Test(arguments: ["a", "/", "a/b", "+", "#", "a/+/b", "a/#", "+/+/#", "$SYS/#", "a b"])
    func `a filter is taken`(text: String) { #expect(MQTTSource.isFilter(text)) }

    @Test(arguments: ["", "a+", "a/b#", "#/a", "a/#/b", "+a/b", "a\0"])
    func `what brokers refuse is no filter`(text: String) { #expect(!MQTTSource.isFilter(text)) }
}
