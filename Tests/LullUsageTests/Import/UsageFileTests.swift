import LullModel
import Testing

@testable import LullUsage

@Suite struct UsageFileTests {
    private func read(_ text: String) throws -> [UsageRow] {
        try UsageFile.read(ImportInput(name: "usage.csv", bytes: Array(text.utf8)))
    }

    @Test func `rows come in the file's order, with any order of columns`() throws {
        let rows = try read("app,unix_seconds,utc_offset_minutes\na7,20,120\nb,10,-90\n")
        #expect(
            rows == [
                UsageRow(app: "a7", time: WallTime(seconds: 20), offsetMinutes: 120),
                UsageRow(app: "b", time: WallTime(seconds: 10), offsetMinutes: -90),
            ])
        #expect(try read("utc_offset_minutes,x,unix_seconds,app\r\n120,,20,a7\r\n") == [rows[0]])
    }

    @Test func `another first line is refused`() throws {
        #expect(throws: ImportError.notUsageFile(path: "usage.csv", line: "a,b")) { try read("a,b\n1,2\n") }
        #expect(throws: ImportError.notUsageFile(path: "usage.csv", line: "")) { try read("") }
    }

    @Test func `all bad rows are named`() throws {
        let text = """
            app,unix_seconds,utc_offset_minutes
            a,x,0
            a,1,9999
            a,1
            ,1,0
            a,1,0
            """
        let error = #expect(throws: ImportError.self) { try read(text) }
        #expect(
            error?.message == """
                usage.csv:2:3: error: 'x' is not a time: expected the seconds since 1970. Correct it, or say with --time \
                how it is written.
                usage.csv:3:5: error: '9999' is not an offset. Write the minutes east of UTC, from -1440 to 1440.
                usage.csv:4:1: error: there are 2 columns, but the time is in column 3. Complete the record, or say \
                with --column where the time is.
                usage.csv:5:1: error: '' is not an app's identifier. Write a reverse-DNS name like com.example.ColorFeed, \
                or put one before it: --prefix com.example.
                """)
    }
}
