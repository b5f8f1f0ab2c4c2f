import Foundation

/// One connection from its first request to its end.
struct WebConnection: Sendable {
    let number: UInt64
    let socket: SocketWithTimeout
    let handler: WebHandler
    let connections: WebConnections
    let limits: WebLimits

    func serve() async {
        var reader = HTTPReader(
            source: socket, limits: limits, userHeader: handler.site.doors.userHeader)
        do {
            while let head = try await reader.next() {
                try await connections.note(number, .waiting)
                // A client that sends more before its answer has come is closed after it, so that one connection does
                // not make the work of many.
                let isLast = !head.keepsAlive || reader.isWithinRequest
                guard try await answer(head, isLast: isLast) else { break }
                try await connections.note(number, .asking)
            }
            if reader.isWithinRequest { await takeIn() }
        } catch let refusal as HTTPRefusal {
            await part(with: refusal)
        } catch is CancellationError where reader.isWithinRequest {
            socket.writeAtOnce(HTTPAnswer.refusal(.crowded))
        } catch {
            // The client has gone or reads nothing: it can't be told.
        }
        socket.close()
        await connections.leave(number)
    }

    /// Returns whether another request may follow; events end with the connection.
    private func answer(_ head: HTTPHead, isLast: Bool) async throws -> Bool {
        let withBody = head.method != "HEAD"
        switch await handler.answer(head) {
        case .reply(let reply):
            let bytes = HTTPAnswer.bytes(
                reply, withBody: withBody, takesGzip: head.takesGzip, closes: isLast)
            try await connections.note(number, .reading(bytes.count))
            try await socket.write(bytes)
            return !isLast
        case .live(let body):
            try await connections.note(number, .listening)
            try await socket.write(HTTPAnswer.liveHead)
            guard withBody else { return false }
            for await text in body.texts() { try await socket.write(Data(text.utf8)) }
            return false
        }
    }

    /// Sends the reason, and nothing else.
    private func part(with refusal: HTTPRefusal) async {
        socket.writeAtOnce(HTTPAnswer.refusal(refusal))
        await takeIn()
    }

    /// Reads for a moment what still arrives: a close with unread bytes would discard the answer.
    private func takeIn() async {
        socket.endSending()
        let deadline = ContinuousClock.now + limits.parting
        var left = limits.afterRefusal
        while left > 0, let part = try? await socket.read(atMost: min(4096, left), by: deadline),
            !part.isEmpty
        {
            left -= part.count
        }
    }
}
