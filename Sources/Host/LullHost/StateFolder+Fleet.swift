import Glibc
import LullHistory

extension StateFolder {
    /// Identifies this folder and the machine's boot: no copy that is in use has the same. Empty: not known.
    func home(boot: String) -> String {
        var status = stat()
        guard !boot.isEmpty, stat(path, &status) == 0 else { return "" }
        return "\(boot) \(status.st_dev) \(status.st_ino)"
    }

    /// The ID of this state in a fleet, which does not depend on the host's name. Nil: it has none yet.
    public var fleetPlace: String? {
        guard let bytes = contents?.read(Self.placeFile, atMost: 256) else { return nil }
        let place = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return Self.isPlace(place) ? String(decoding: place, as: UTF8.self) : nil
    }

    /// The same, drawn at random where there is none yet. `anew`: replaces the present one, since a copy of a state has
    /// the ID of its original.
    public func makeFleetPlace(anew: Bool = false) throws(HostError) -> String {
        if !anew, let place = fleetPlace { return place }
        let place = (0..<16).map { _ in
            let byte = UInt8.random(in: .min ... .max)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        do {
            try OwnFolder(path).write(Array((place + "\n").utf8), to: Self.placeFile)
        } catch {
            throw .stateFolder(path: path, detail: error.words)
        }
        return place
    }

    static let placeFile = "place"

    private static func isPlace(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 32
            && bytes.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}
