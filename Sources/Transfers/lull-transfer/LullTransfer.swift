import CLullCurl
import CLullShims
import Glibc
import LullModel
import LullSystem
import LullTransfers

/// The process that downloads and uploads for the apps of one Unix user, with libcurl.
///
/// It drops access to nearly all but the folders of their transfers before anything comes from outside. It survives its
/// host: when that is gone it finishes what is under way, and exits.
@main enum LullTransfer {
    /// The socket to the host.
    private static let descriptor: Int32 = 3

    static func main() {
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            complain("lull starts lull-transfer itself, with a socket to it. Run `lull` instead.")
            exit(64)
        }
        signal(SIGPIPE, SIG_IGN)
        // A closed terminal ends the host, but not the transfers under way.
        signal(SIGHUP, SIG_IGN)
        signal(SIGINT, SIG_IGN)
        Signals.block([SIGTERM])
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        do throws(LoopError) {
            let loop = try EventLoop()
            let engine = try Engine(on: loop)
            let front = Front(engine: engine, loop: loop)
            let socket = try FrameSocket(descriptor, on: loop) {
                front.receive($0)
            } ended: {
                engine.hostIsGone()
            }
            let signals = try Signals([SIGTERM], on: loop) { _ in
                engine.abandonAll()
                loop.stop()
            }
            engine.say = { socket.send($0) }
            engine.isCongested = { socket.isCongested }
            loop.run()
            withExtendedLifetime((socket, signals, front)) {}
        } catch {
            complain(error.message)
            exit(1)
        }
    }

    /// A line for the host's log.
    static func complain(_ text: String) {
        let line = text + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}

/// Handles the host's frames: first those on its confinement, then the orders.
final class Front {
    private let engine: Engine
    private let loop: EventLoop
    private var user: TransferUser?
    private var paths: [String] = []
    private var isConfined = false

    init(engine: Engine, loop: EventLoop) {
        self.engine = engine
        self.loop = loop
    }

    func receive(_ bytes: ArraySlice<UInt8>) {
        switch TransferFrame(bytes) {
        case .user(let user) where !isConfined: self.user = user
        case .folder(let path) where !isConfined: paths.append(path)
        case .confine where !isConfined: confine()
        case .begin(let start) where isConfined: engine.begin(start)
        case .stop(let id, let keepsPart) where isConfined: engine.stop(id, keepsPart: keepsPart)
        case .remove(let folder, let stem, let upload) where isConfined:
            engine.remove(folder: folder, stem: stem, upload: upload)
        case .ask where isConfined: engine.report(.alive)
        case .user, .folder, .confine, .begin, .stop, .remove, .ask, nil:
            LullTransfer.complain(
                "The host sent an unknown message. Install lull and lull-transfer of one version."
            )
            exit(78)
        }
    }

    private func confine() {
        isConfined = true
        do throws(Confinement.Fault) {
            engine.folders = try Confinement.enter(as: user, folders: paths)
        } catch {
            LullTransfer.complain(error.sentence)
            exit(78)
        }
        engine.report(.hello(version: ProcessFrame.version))
    }
}
