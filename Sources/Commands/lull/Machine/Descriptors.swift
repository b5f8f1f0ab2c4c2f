import Glibc

/// How many files a host may have open.
enum Descriptors {
    /// With fewer, what a host is made of can't be opened, and libraries that it needs end it without a word.
    private static let least = 32

    static let fix = "Raise it with `ulimit -n`, or `LimitNOFILE=` in a unit."

    /// Of this process; nil: the kernel sets none.
    static var most: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }

    /// Why no host can do with so many; nil: one can.
    static func refusal(of most: Int) -> String? {
        most < least
            ? "This process may have \(most) open files, and a host needs \(least) at least." : nil
    }
}
