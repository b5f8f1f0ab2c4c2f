public import LullModel

/// A shift that is the same every day and differs between hosts, so that they do not all call a server in the same second.
public enum Spread {
    /// Whole seconds from zero to below `spread`: FNV-1a of both names, the same in every version.
    public static func shift(of task: TaskIdentifier, on host: String, within spread: Duration) -> Duration {
        let seconds = spread.milliseconds / 1000
        guard seconds > 0 else { return .zero }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(host.utf8) + [0] + Array(task.text.utf8) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        // The low bits of FNV-1a depend little on the last bytes.
        hash ^= hash >> 32
        return .seconds(Int64(hash % UInt64(seconds)))
    }
}
