import CLullShims
import Glibc
import LullWire

/// The files that a worker may reach, as a set of Landlock's rules that is not in force yet.
struct LandlockRules {
    let descriptor: Int32

    /// Nil where the kernel has no Landlock; the host reports that with all that is not enforced.
    init?(_ wanted: WireConfinement, _ places: [Confinement.Place]) {
        let abi = lull_landlock_abi()
        guard abi > 0 else { return nil }
        let hidden = places.filter { $0.access == .hidden }.map(\.path)
        let reads = Int32(
            wanted.limitsReading
                ? LULL_READS_LIMITED : hidden.isEmpty ? LULL_READS_ALL : LULL_READS_BUT_HIDDEN)
        let writes: Int32 = wanted.limitsWriting ? 1 : 0
        descriptor = lull_landlock_begin(abi, reads, writes, wanted.hasNetwork ? 0 : 1)
        guard descriptor >= 0 else {
            refuse(.confinement, Confinement.sentence("Landlock can't be used", -descriptor))
        }
        if reads == LULL_READS_BUT_HIDDEN { allowAll(but: hidden, abi, writes) }
        for place in places where place.access != .hidden {
            let access = place.isWritable ? LULL_MAY_READ | LULL_MAY_WRITE : LULL_MAY_READ
            let fault = lull_landlock_allow(descriptor, abi, place.path, Int32(access), reads, writes)
            // A path that is not there can't be reached anyway.
            if fault != 0, fault != ENOENT, fault != ENOTDIR {
                refuse(.confinement, Confinement.sentence("access to \(place.path) can't be given", fault))
            }
        }
    }

    private func allowAll(but hidden: [String], _ abi: Int32, _ writes: Int32) {
        let paths = hidden.map { strdup($0) }
        defer { for path in paths { free(path) } }
        let fault = paths.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            lull_landlock_allow_but(descriptor, abi, $0.baseAddress, Int32($0.count), writes)
        }
        if fault != 0 {
            refuse(
                .confinement,
                Confinement.sentence("\(hidden.joined(separator: " and ")) can't be hidden", fault))
        }
    }
}
