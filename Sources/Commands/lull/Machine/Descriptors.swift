import Glibc

/// How many files a host may have open.
enum Descriptors {
    /// With fewer, a host can't open its own files, and libraries that it needs end it without a message.
    private static let least = 32

    static let fix = "Raise it with `ulimit -n`, or `LimitNOFILE=` in a unit."

    /// The limit of this process; nil: the kernel sets none.
    static var most: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }

    /// Why a host can't run with so many; nil: it can.
    static func refusal(of most: Int) -> String? {
        most < least
            ? "This process may have \(most) open files, and a host needs at least \(least)." : nil
    }
}
