import LullModel

/// What the page passes on with an act: the token of the request, and the person whom a proxy named.
///
/// The host looks the token up by itself, so a client can name only a token that it has.
public struct Bearer: Sendable, Hashable, Codable {
    public var token: String
    public var person: String?

    public init(token: String, person: String? = nil) { (self.token, self.person) = (token, person) }

    /// The most bytes of a person's name.
    public static let personBytes = 64

    /// "anna (token proxy)"; nil: the state folder has no such token.
    func words(stateFolder: String) -> String? {
        let words: String
        if let known = PageTokens(stateFolder: stateFolder).find(token) {
            words = "token \(known.name)"
        } else if WebToken.isOfState(token, in: stateFolder) {
            words = "the page's own token"
        } else {
            return nil
        }
        let person = person.flatMap { ActorName.bounded($0, to: Self.personBytes) }
        return person.map { "\($0) (\(words))" } ?? words
    }
}
