private import Glibc

/// A POSIX extended regular expression that is searched for in bytes of any encoding.
final class LineExpression {
    private var compiled = regex_t()

    /// Nil if `text` is not a valid expression; the manifest refuses those with their place and reason.
    init?(_ text: String) {
        guard regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB) == 0 else { return nil }
    }

    deinit { regfree(&compiled) }

    func matches(_ line: ArraySlice<UInt8>) -> Bool {
        line.withUnsafeBytes { bytes in
            // REG_STARTEND searches between two offsets, so the line needs no zero byte after it and may hold some.
            var range = regmatch_t(rm_so: 0, rm_eo: regoff_t(bytes.count))
            // An empty slice may have no address.
            guard let start = bytes.baseAddress else { return regexec(&compiled, "", 0, nil, 0) == 0 }
            return regexec(
                &compiled, start.assumingMemoryBound(to: CChar.self), 0, &range, REG_STARTEND) == 0
        }
    }
}
