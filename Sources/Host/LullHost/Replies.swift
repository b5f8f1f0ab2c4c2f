import LullModel
import LullScheduler
import LullWire

/// The callers that wait for the scheduler's replies, by the tokens of their events.
struct Replies {
    private var takers: [Token: (Reply) -> Void] = [:]
    private var last: UInt64 = 0

    /// A new token, whose reply goes to `taker`.
    mutating func expect(_ taker: @escaping (Reply) -> Void) -> Token {
        last += 1
        return expect(Token(last), taker)
    }

    /// Submits have tokens of their own, so that one can be withdrawn after it was answered.
    mutating func expect(of submit: SubmitID, _ taker: @escaping (Reply) -> Void) -> Token {
        expect(Self.token(of: submit), taker)
    }

    private mutating func expect(_ token: Token, _ taker: @escaping (Reply) -> Void) -> Token {
        takers[token] = taker
        return token
    }

    mutating func take(_ token: Token) -> ((Reply) -> Void)? { takers.removeValue(forKey: token) }

    static func token(of submit: SubmitID) -> Token { Token(submit.number | 1 << 63) }
}
