import LullModel
import RealModule

/// Numbers that look random and follow from a task and a minute alone (SplitMix64): the same question at the same
/// time has the same answer.
struct OutlookRandom: RandomNumberGenerator {
    private var state: UInt64

    init(task: TaskIdentifier, at time: WallTime) {
        // FNV-1a over the name.
        state = task.text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        state ^= UInt64(bitPattern: time.milliseconds / 60_000) &* 0x9E37_79B9_7F4A_7C15
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0 < u ≤ 1.
    mutating func unit() -> Double { (Double(next() >> 11) + 1) * 0x1p-53 }

    /// How much hazard is lived through before the event: exponential, with mean 1.
    mutating func exponential() -> Double { -Double.log(unit()) }
}
