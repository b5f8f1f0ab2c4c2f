import Glibc
import LullControl
import LullELF
import LullManifest
import LullModel
import Synchronization

/// Lets a client push to an app over HTTP if it has the app's token or signs with the app's secret.
///
/// The push of any other client reaches neither the host nor the history. Only wrong requests are limited, so they
/// never keep out a right one.
public final class PushGuard: Sendable {
    /// The parts of a request that prove its right.
    struct Claim: Sendable {
        var authorization: String?
        /// `X-Hub-Signature-256`, as GitHub, Gitea and Forgejo send it.
        var signature: String?
        var body: [UInt8]
    }

    private let tokens: PushTokens
    private let wrong = Mutex(WrongOnes())
    /// Apps whose secret could not be read at the last signature.
    private let unreadable = Mutex<Set<AppIdentifier>>([])
    private let signed = Mutex<[Signed]>([])

    private struct Signed {
        let app: AppIdentifier
        let signature: String
        let time: ContinuousClock.Instant
    }

    /// A signed body is remembered for this long, and while no more than so many others come.
    static let remembers: Duration = .minutes(10)
    private static let mostSigned = 1_000

    public init(stateFolder: String) { tokens = PushTokens(stateFolder: stateFolder) }

    /// Whether the token in the header is the app's; nil: there is none.
    func hasToken(_ claim: Claim, of app: AppIdentifier) -> Bool? {
        WebToken.claim(in: claim.authorization).map { tokens.isRight($0, for: app) }
    }

    /// Whether the body is signed with the secret that the file holds.
    func isSigned(_ claim: Claim, by file: String?) -> Bool {
        guard let file, let signature = claim.signature, signature.hasPrefix("sha256="),
            let secret = Self.secret(in: file)
        else { return false }
        let claimed = Array(signature.dropFirst(7).lowercased().utf8)
        return Bytes.areEqual(claimed, Array(HMAC.hexadecimal(of: claim.body, key: secret).utf8))
    }

    /// How long ago the same signed body was taken; nil: not lately, and it is remembered from now on.
    ///
    /// A signature does not say when it was made: anybody who has seen one request could send it again for ever.
    func repetition(of claim: Claim, to app: AppIdentifier, at now: ContinuousClock.Instant) -> Duration? {
        guard let signature = claim.signature?.lowercased() else { return nil }
        return signed.withLock { signed in
            signed.removeAll { now - $0.time > Self.remembers }
            if let last = signed.last(where: { $0.app == app && $0.signature == signature }) {
                return now - last.time
            }
            signed = signed.suffix(Self.mostSigned - 1) + [Signed(app: app, signature: signature, time: now)]
            return nil
        }
    }

    /// Forgets a body that the host did not take after all.
    func forget(_ claim: Claim, to app: AppIdentifier) {
        guard let signature = claim.signature?.lowercased() else { return }
        signed.withLock { $0.removeAll { $0.app == app && $0.signature == signature } }
    }

    /// Whether a signature can be checked at all, if that has changed since the last one; nil: it has not.
    func change(of app: AppIdentifier, secretIn file: String) -> Bool? {
        let isRead = Self.secret(in: file) != nil
        let isNews = unreadable.withLock {
            isRead ? $0.remove(app) != nil : $0.insert(app).inserted
        }
        return isNews ? isRead : nil
    }

    /// The refusal of a wrong request; the same for an app that does not exist, so that nobody finds out which apps
    /// there are.
    func refusal(of app: AppIdentifier) -> WebRefusal {
        guard wrong.withLock({ $0.isFew(at: .now) }) else {
            return WebRefusal(
                429, "Too many wrong tokens and signatures have come. Try again in a minute.",
                wait: .minutes(1))
        }
        return WebRefusal(
            401,
            "This needs the token of \(app), in the header Authorization: Bearer TOKEN, or a signature with its secret, in "
                + "X-Hub-Signature-256. `lull push --new-token` makes a token; docs/push.md says how a forge signs."
        )
    }

    /// The secret in the file's first line; nil: there is none, or it is short enough to be guessed, or others may change it.
    private static func secret(in path: String) -> [UInt8]? {
        guard opening(to: path) == nil else { return nil }
        // Without O_NONBLOCK the opening of a pipe would wait for its writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let line = bytes[..<count].prefix { $0 != 10 && $0 != 13 }
        return line.count >= Self.leastSecret ? Array(line) : nil
    }

    /// Where others could put a secret of their own into the file's place.
    static func opening(to path: String) -> Breach? { LocalFileSystem().entry(at: path)?.opening }

    private static let leastSecret = 8
}

/// Limits wrong requests: so many are allowed at once, and one more after each gap.
private struct WrongOnes {
    static let atOnce = 20
    static let gap: Duration = .seconds(3)
    /// When all are allowed again.
    private var whole: ContinuousClock.Instant?

    mutating func isFew(at now: ContinuousClock.Instant) -> Bool {
        let next = max(whole ?? now, now) + Self.gap
        guard next - now <= Self.gap * Self.atOnce else { return false }
        whole = next
        return true
    }
}
