extension StringProtocol {
    /// The text at the beginning of a sentence: with a capital letter, unless it begins with a name.
    ///
    /// An identifier, a path, a command or an address is case-sensitive and stays as it is written. Its first word has a
    /// character that no word of a sentence has.
    package var sentenceCased: String {
        let word = prefix { $0 != " " }
        let inner = word.last.map { ".,:;?!".contains($0) } == true ? word.dropLast() : word
        let isName = inner.contains { "._/@:`\"=*".contains($0) || $0.isNumber || $0.isUppercase }
        return isName ? String(self) : prefix(1).uppercased() + dropFirst()
    }
}
