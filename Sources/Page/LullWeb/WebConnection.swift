import Foundation

/// One connection from its first request to its end.
struct WebConnection: Sendable {
    let number: UInt64
    let socket: SocketWithTimeout
    let handler: WebHandler
    let connections: WebConnections
    let limits: WebLimits

    func serve() async {
        var reader = HTTPReader(source: socket, limits: limits)
        do {
            while let head = try await reader.next() {
                try await connections.note(number, .waiting)
                // Who asks on before the answer has come is let go after it, lest one connection makes the work of many.
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
            // Gone, or it reads nothing: there is nobody to tell.
        }
        socket.close()
        await connections.leave(number)
    }

    /// Events end with the connection; whether another request may follow.
    private func answer(_ head: HTTPHead, isLast: Bool) async throws -> Bool {
        let withBody = head.method != "HEAD"
        switch await handler.answer(head) {
        case .reply(let reply):
            let bytes = HTTPAnswer.bytes(reply, withBody: withBody, closes: isLast)
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

    /// Says why, and no more.
    private func part(with refusal: HTTPRefusal) async {
        socket.writeAtOnce(HTTPAnswer.refusal(refusal))
        await takeIn()
    }

    /// Takes in for a moment what is under way: a connection closed with bytes unread takes back what it said.
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
