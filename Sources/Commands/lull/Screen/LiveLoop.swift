import Foundation
import Glibc
import LullCommands
import LullControl
import LullModel
import LullSystem

/// Keeps a view on the terminal: draws it when there is news, when a key was pressed, when the window was resized
/// and when time alone makes a difference; gives the terminal back however it ends.
final class LiveLoop<View: LiveView> {
    private var view: View
    private let screen: Screen
    private let makeSource: Source
    private var source: (any LiveSource<View.Question>)?
    private var isResized = false
    private let hasColour = Terminal.output.hasColour

    typealias Source = (LoopChannel<View.News>) -> any LiveSource<View.Question>

    init(_ view: View, on screen: Screen, from source: @escaping Source) {
        self.view = view
        self.screen = screen
        makeSource = source
    }

    /// Runs until the view is quit or the process is told to end; returns the signal that ended it.
    func run() throws -> Int32? {
        // Before another thread exists.
        Signals.block(Self.signals)
        do {
            let loop = try EventLoop()
            var ending: Int32?
            let signals = try Signals(Self.signals, on: loop) { [unowned self] signal in
                switch signal {
                case SIGWINCH:
                    isResized = true
                    draw()
                case SIGTSTP: pause()
                default:
                    ending = signal
                    loop.stop()
                }
            }
            let channel = try LoopChannel<View.News>(on: loop) { [unowned self] news in
                for item in news { view.hear(item) }
                if news.contains(where: \.isChange) { askQuestions() }
                draw()
            }
            let timer = try LoopTimer(on: loop) { [unowned self] in
                askQuestions()
                draw()
            }
            let source = makeSource(channel)
            self.source = source
            rearm = { [unowned self] in timer.arm(Clock.monotonic + view.tick) }
            try loop.watch(STDIN_FILENO, .readable) { [unowned self] _ in
                guard let keys = screen.keys() else { return loop.stop() }
                for action in keys.flatMap({ view.press($0) }) {
                    switch action {
                    case .quit: loop.stop()
                    case .ask(let request): source.ask(request)
                    }
                }
                draw()
            }
            screen.enter()
            draw()
            source.start()
            loop.run()
            screen.leave()
            withExtendedLifetime((signals, channel, timer)) {}
            return ending
        } catch {
            screen.leave()
            throw Failure(error.message)
        }
    }

    private static var signals: [Int32] { [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP] }
    private var rearm: () -> Void = {}

    private func askQuestions() {
        for request in view.questions { source?.ask(request) }
    }

    private func draw() {
        screen.draw(
            view.lines(screen.size, phrases: .current, hasColour: hasColour), anew: isResized)
        isResized = false
        rearm()
    }

    /// Ctrl-Z: the shell has the terminal until this process is continued.
    private func pause() {
        screen.leave()
        kill(getpid(), SIGSTOP)
        screen.enter()
        isResized = true
        draw()
    }
}
