import CLullCurl
import LullModel
import LullSystem

typealias CurlHandle = UnsafeMutableRawPointer

/// Runs libcurl's transfers on the loop, which watches their sockets and one timer.
final class CurlMulti {
    private let loop: EventLoop
    // Optional, for libcurl can be out of memory.
    private let multi: UnsafeMutableRawPointer?
    private var timer: LoopTimer?
    /// Called for each handle that is done; it is still in here then.
    var done: ((CurlHandle, CURLcode) -> Void)?

    init(on loop: EventLoop) throws(LoopError) {
        self.loop = loop
        multi = curl_multi_init()
        timer = try LoopTimer(on: loop) { [unowned self] in act(CURL_SOCKET_TIMEOUT, 0) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        lull_curl_on_socket(multi, socketWanted, context)
        lull_curl_on_timer(multi, timerWanted, context)
        lull_curl_multi_set_number(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        lull_curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, 16)
    }

    func add(_ easy: CurlHandle) -> Bool { curl_multi_add_handle(multi, easy) == CURLM_OK }
    func remove(_ easy: CurlHandle) { curl_multi_remove_handle(multi, easy) }

    fileprivate func watch(_ socket: Int32, _ what: Int32) {
        guard what != CURL_POLL_REMOVE else { return loop.forget(socket) }
        var interest: EventLoop.Interest = []
        if what & CURL_POLL_IN != 0 { interest.insert(.readable) }
        if what & CURL_POLL_OUT != 0 { interest.insert(.writable) }
        do throws(LoopError) {
            try loop.watch(socket, interest) { [unowned self] came in
                var bits: Int32 = 0
                if came.contains(.readable) { bits |= CURL_CSELECT_IN }
                if came.contains(.writable) { bits |= CURL_CSELECT_OUT }
                // Errors are found by reading.
                act(socket, bits == 0 ? CURL_CSELECT_IN : bits)
            }
        } catch {
            // The transfer ends by its idle limit, and is tried again.
            LullTransfer.complain(error.message)
        }
    }

    /// Not acted upon at once: libcurl forbids that.
    fileprivate func arm(_ milliseconds: Int) {
        timer?.arm(milliseconds < 0 ? nil : Clock.monotonic + .milliseconds(milliseconds))
    }

    private func act(_ socket: Int32, _ bits: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, bits, &running)
        var result = CURLE_OK
        while let easy = lull_curl_next_done(multi, &result) { done?(easy, result) }
    }
}

@c private func socketWanted(
    _: UnsafeMutableRawPointer?, _ socket: Int32, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    context.map { Unmanaged<CurlMulti>.fromOpaque($0).takeUnretainedValue().watch(socket, what) }
    return 0
}

@c private func timerWanted(
    _: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    context.map { Unmanaged<CurlMulti>.fromOpaque($0).takeUnretainedValue().arm(milliseconds) }
    return 0
}
