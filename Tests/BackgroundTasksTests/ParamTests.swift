import Testing

@testable import BackgroundTasks

/// The parameters of a run, as its handler reads them.
struct ParamTests {
    @Test func `they stand beside the events and the attempt`() {
        let origin =
            #"{"on":["path"],"count":1,"attempt":2,"params":{"day":"2026-11-30","note":"a \"b\" ä"}}"#
        #expect(BGTask.params(in: origin) == ["day": "2026-11-30", "note": "a \"b\" ä"])
    }

    @Test(arguments: [
        nil, "", "{}", "[1]", "{", #"{"params":null}"#, #"{"params":["a"]}"#, #"{"params":{"a":1}}"#,
    ])
    func `what has none has none`(origin: String?) {
        #expect(BGTask.params(in: origin).isEmpty)
    }
}
