extension Accounts {
    /// Whether no user and no group of this machine has the number.
    public static func isFree(_ number: UInt32) -> Bool { user(number) == nil && group(number) == nil }
}
