import LullModel

/// The refresh launches a day of all apps together, kept as apps come and go.
///
/// In whole millionths, so that the sum is the same in whichever order its parts came.
struct RefreshBudget: Sendable {
    private static let unit = 1e6
    private var parts: [AppIdentifier: Int64] = [:]
    private var sum: Int64 = 0

    var perDay: Double { Double(sum) / Self.unit }

    mutating func set(_ perDay: Double, of app: AppIdentifier) {
        let part = Int64((perDay * Self.unit).clamped(to: 0...1e15).rounded())
        sum += part - (parts.updateValue(part, forKey: app) ?? 0)
    }
}
