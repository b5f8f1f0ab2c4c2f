import Testing

@testable import LullModel

struct SentenceTests {
    @Test(arguments: [
        ("cron.root.echo is paused", "cron.root.echo is paused"),
        ("everything is paused", "Everything is paused"),
        ("it is late.", "It is late."), ("ready.", "Ready."), ("`lull why x` tells", "`lull why x` tells"),
        ("/srv/x is full", "/srv/x is full"), ("echo_2 failed", "echo_2 failed"),
        ("iOS has it", "iOS has it"), ("", ""),
    ])
    func `a sentence begins with a capital, and a name stays as it is`(text: String, sentence: String) {
        #expect(text.sentenceCased == sentence)
    }
}
