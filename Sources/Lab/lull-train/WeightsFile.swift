import Foundation

/// The weights as the Swift source that Lull ships: 32-bit floats, lowest byte first, in base 64.
struct WeightsFile {
    /// How they were made, a line each.
    let notes: [String]
    let parameters: [Float]

    var text: String {
        let bytes = parameters.flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
        }
        let digits = Array(Data(bytes).base64EncodedString().utf8)
        let lines = stride(from: 0, to: digits.count, by: 100).map {
            "        " + String(decoding: digits[$0..<min($0 + 100, digits.count)], as: UTF8.self)
        }
        return """
            /// The weights of the network as `lull-train` wrote them; `make train` writes this file anew.
            ///
            \(notes.map { "/// " + $0 }.joined(separator: "\n"))
            enum HazardWeights {
                static let text = \"""
            \(lines.joined(separator: "\n"))
                    \"""
            }

            """
    }

    func write(to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
