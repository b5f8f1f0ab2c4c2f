import CLullCurl
import CLullShims
import Glibc
import LullModel
import LullSystem
import LullTransfers

/// Handles an answer while libcurl delivers it. Nothing here ends the attempt: that waits until libcurl is done.
extension Attempt {
    /// How much of a useless body is read, so that the connection can be used again.
    private static let discardBytes = 64 << 10
    /// After so many bytes the room on the disk is checked, and their writing to the disk begins.
    private static let diskStep: Int64 = 8 << 20

    func takeHeader(_ line: UnsafeRawBufferPointer) {
        // Trailers change nothing.
        if course == nil { head.take(line) }
    }

    /// Returns how much was taken; less than all ends the request.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if course == nil { decide() }
        guard fault == nil, let course, let part else { return 0 }
        guard case .file = course else {
            discarded += bytes.count
            return discarded > Self.discardBytes ? 0 : bytes.count
        }
        guard part.size + Int64(bytes.count) <= start.rules.maxSize else {
            fault = tooLarge(part.size + Int64(bytes.count))
            return 0
        }
        guard total != nil || hasRoomInFolder(for: Int64(bytes.count)) else { return 0 }
        let code = part.append(bytes)
        guard code == 0 else {
            fault = writeFault(code)
            return 0
        }
        engine.noteBytes(Int64(bytes.count), in: start.folder)
        if part.size - lookedAtDisk >= Self.diskStep {
            lull_write_back(part.descriptor, lookedAtDisk, part.size - lookedAtDisk)
            lookedAtDisk = part.size
            guard hasRoom() else { return 0 }
        }
        tellProgress()
        return bytes.count
    }

    /// Reads the next bytes to upload. Nil: they can't be read.
    func giveBody(into buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int? {
        guard let upload else { return 0 }
        do throws(Upload.Refusal) {
            let count = try upload.read(into: buffer, capacity)
            sent = upload.offset
            tellProgress()
            return count
        } catch {
            fault = readFault(error.code)
            return nil
        }
    }

    /// Decides what the body is for, once the whole head has come.
    func decide() {
        guard course == nil, let hop, let easy, let part else { return }
        if head.status == 401, let next = answerChallenge(hop) {
            course = .nothing(next)
            return
        }
        switch AnswerPlan(head, asked: asked, hasOwnRange: start.order.hasOwnRange) {
        case .redirect: course = .nothing(.redirect)
        case .again: course = .nothing(.again)
        case .whole: course = .nothing(.whole)
        case .later(let sentence):
            let seconds = lull_curl_large(easy, CURLINFO_RETRY_AFTER)
            let wait = seconds > 0 ? Duration.seconds(Int64(seconds)) : nil
            course = .nothing(.end(interruption(sentence, retryAfter: wait)))
        case .append(let total):
            course = .file
            self.total = total ?? length(easy).map { part.size + $0 }
            guard isSmallEnough() else { return }
            take(part.goOn())
        case .fresh:
            course = .file
            asked = nil
            guard head.hasReadableLength else {
                fault = interruption("The server sent an invalid Content-Length.")
                return
            }
            total = hop.method == "HEAD" || head.status == 204 || head.status == 304 ? nil : length(easy)
            guard isSmallEnough() else { return }
            engine.noteBytes(-part.size, in: start.folder)
            take(part.begin(note(easy, hop)))
        }
        if case .file? = course, fault == nil {
            lookedAtDisk = part.size
            turn = engine.nextTurn()
            _ = hasRoom() && hasRoomInFolder()
        }
    }

    private func take(_ code: Int32) { if code != 0 { fault = writeFault(code) } }

    private func length(_ easy: CurlHandle) -> Int64? {
        let length = lull_curl_large(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return PartNote.sizes.contains(Int64(length)) ? Int64(length) : nil
    }

    private func note(_ easy: CurlHandle, _ hop: Hop) -> PartNote {
        let mayResume = start.order.mayResume && head.status == 200
        return PartNote(
            url: hop.url, status: head.status, headers: head.headers, total: total,
            validator: mayResume ? PartNote.strongTag(head) ?? strongDate : nil, sent: sent)
    }

    /// A date names one version only if the server answered after that second was over (RFC 9110, 8.8.2.2).
    private var strongDate: String? {
        guard head.value("etag") == nil, let date = head.value("last-modified"), let now = head.value("date")
        else { return nil }
        let (changed, answered) = (curl_getdate(date, nil), curl_getdate(now, nil))
        return changed >= 0 && answered > changed ? date : nil
    }

    private func isSmallEnough() -> Bool {
        guard let total, total > start.rules.maxSize else { return true }
        fault = tooLarge(total)
        return false
    }

    private func hasRoom() -> Bool {
        guard let part, let free = folder.free else { return true }
        let own = max(0, (total ?? start.order.expectedToReceive ?? 0) - part.size)
        let expected = own + engine.toCome(before: self)
        guard free - expected < start.keepsFree else { return true }
        fault = interruption(Self.shortDisk(free: free, expected: expected, keeps: start.keepsFree))
        return false
    }

    /// The bytes that are missing, as far as the server has said.
    var toCome: Int64 {
        guard case .file? = course, let total, let part else { return 0 }
        return max(0, total - part.size)
    }

    /// Whether the app's own limit has room for all of its transfers, and `more` of this one.
    private func hasRoomInFolder(for more: Int64 = 0) -> Bool {
        guard let room = engine.room(in: start.folder), room < more else { return true }
        // From this the host knows for how much room it has to wait.
        tell(progress)
        fault = interruption(
            TransferRules.shortage(
                toCome: toCome, room: room + toCome, remedy: "raise `disk` in its `limits` in jobs.yaml")
                + ".")
        return false
    }

    var progress: TransferProgress {
        let toSend = upload?.size ?? start.order.body.map { Int64($0.bytes.count) }
        var received: Int64 = 0
        if case .file? = course { received = part?.size ?? 0 }
        return TransferProgress(received: received, toReceive: total, sent: sent, toSend: toSend)
    }

    private func tellProgress() {
        let now = Clock.monotonic
        // The first byte starts the clock: a quick transfer reports only its end.
        guard let last = toldAt else { return toldAt = now }
        guard now - last >= Self.progressGap, !engine.isCongested() else { return }
        toldAt = now
        tell(progress)
    }

    func tell(_ progress: TransferProgress) {
        told = progress
        engine.report(.news(start.id, attempt: start.attempt, .progressed(progress)))
    }
}
