/// The name of who acted, as the history keeps it: short, in one line, and harmless on a terminal.
public enum ActorName {
    /// Nil: nothing is left to show.
    public static func bounded(_ text: String, to bytes: Int = Limits.actorBytes) -> String? {
        let scalars = text.terminalSafe.unicodeScalars.drop(while: isBlank)
        var name = String.UnicodeScalarView()
        var count = 0
        for scalar in scalars {
            count += UTF8.width(scalar)
            if count > bytes { break }
            name.append(scalar)
        }
        while let last = name.last, isBlank(last) { name.removeLast() }
        return name.isEmpty ? nil : String(name)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
}
