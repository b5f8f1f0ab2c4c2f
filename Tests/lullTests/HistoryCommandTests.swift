import Testing

@testable import lull

struct HistoryCommandTests {
    @Test(arguments: [
        ("db_dump", "`lull history --task db_dump`"),
        ("com.example.Feed.refresh", "`lull history --task com.example.Feed.refresh`"),
    ])
    func `a task where a run belongs is answered with its option`(word: String, remedy: String) {
        do {
            _ = try HistoryShow.parse([word])
            Issue.record("\(word) is no run")
        } catch {
            let message = HistoryShow.message(for: error)
            #expect(message.contains(remedy), "\(message)")
        }
    }

    @Test func `a number is a run`() throws {
        #expect(try HistoryShow.parse(["17"]).number == 17)
    }
}
