import Glibc
import LullHistory
import LullModel

/// The `Date` of an answer (RFC 9110): "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static var now: String { text(of: WallTime(seconds: Int64(time(nil)))) }

    static func text(of time: WallTime) -> String {
        // "1994-11-06T08:49:37.000Z"; the first of January 1970 was a Thursday.
        let text = Array(time.rfc3339.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        let day = time.seconds / 86_400 - (time.seconds % 86_400 < 0 ? 1 : 0)
        let month = Int(part(5..<7)).map { months[($0 + 11) % 12] } ?? ""
        return "\(days[Int((day % 7 + 7) % 7)]), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
    }
}
