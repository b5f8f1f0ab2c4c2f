import Testing

@testable import LullImport

struct CrontabScheduleTests {
    @Test(arguments: [
        "30 2 * * 1-5", "*/5 8-18 * jan,JUL mon-fri", "0 0 1,15 * 7", "@daily", "@reboot", "@hourly",
        "@annually",
    ])
    func `a schedule that cron knows stays as it is`(text: String) throws {
        let schedule = try CrontabSchedule(text, seed: "")
        #expect(schedule.text == text)
        #expect(schedule.chosen.isEmpty)
    }

    @Test func `a minute word is spelled out`() throws {
        #expect(try CrontabSchedule("@every_minute", seed: "").text == "* * * * *")
    }

    @Test(arguments: [
        ("~ 5 * * *", 0...59), ("10~20 5 * * *", 10...20), ("55~ 5 * * *", 55...59), ("~3 5 * * *", 0...3),
        ("7~7 5 * * *", 7...7),
    ])
    func `a random field is drawn within its range, and the same each time`(
        text: String, range: ClosedRange<Int>
    ) throws {
        var drawn: Set<Int> = []
        for seed in 0..<200 {
            let schedule = try CrontabSchedule(text, seed: "\(seed)")
            #expect(try CrontabSchedule(text, seed: "\(seed)") == schedule)
            #expect(schedule.chosen.count == 1)
            drawn.insert(try #require(Int(schedule.text.prefix { $0 != " " })))
        }
        #expect(drawn.allSatisfy(range.contains))
        #expect(drawn.count >= range.count * 3 / 4)
    }

    @Test(arguments: [
        "61 * * * *", "22-2 * * * *", "5/15 * * * *", "*/0 * * * *", "@fortnightly", "20~10 * * * *",
        "~/5 * * * *",
        "* * * * 1~9", "1,,2 * * * *", "x * * * *", "0 0 31 2 *",
    ])
    func `what cron does not know is refused with a remedy`(text: String) {
        let fault = #expect(throws: CrontabSchedule.Fault.self) { try CrontabSchedule(text, seed: "") }
        #expect(fault?.message.isEmpty == false)
        #expect(fault?.fix.isEmpty == false)
    }
}
