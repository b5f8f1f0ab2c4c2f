import CLullCurl
import Glibc
import LullModel
import LullTransfers

/// Handles the end of a request.
extension Attempt {
    func didComplete(_ result: CURLcode) {
        guard let easy, let hop, let part else { return }
        let text =
            errorText.pointee == 0 ? String(cString: curl_easy_strerror(result)) : String(cString: errorText)
        engine.halt(easy, of: self)
        sent = max(sent, Int64(lull_curl_large(easy, CURLINFO_SIZE_UPLOAD_T)))
        if course == nil, result == CURLE_OK { decide() }
        if let fault { return end(fault) }
        switch course {
        case .file?:
            guard result == CURLE_OK else { return give(result, text, hop) }
            if let total, part.size < total {
                return interrupt(
                    "The server closed the connection early: \(Phrase.size(part.size)) of \(Phrase.size(total)) have come."
                )
            }
            if let total, part.size > total {
                _ = part.clear()
                return interrupt("The server sent more than it announced. Lull fetches the file again.")
            }
            finish()
        case .nothing(let next)?: go(on: next, hop, easy)
        case nil: give(result, text, hop)
        }
    }

    private func go(on next: Next, _ hop: Hop, _ easy: CurlHandle) {
        switch next {
        case .end(let news): end(news)
        case .whole: take(whole: part?.goOn() ?? EIO)
        case .again:
            wantsAll = true
            request()
        case .credential(let method):
            credential = (hop.place, method)
            request()
        case .redirect: follow(hop, easy)
        }
    }

    private func take(whole code: Int32) { code == 0 ? finish() : failWriting(code) }

    private func follow(_ hop: Hop, _ easy: CurlHandle) {
        guard hop.redirections < Hop.mostRedirections else {
            return fail(
                TransferFailure.Code.redirectionLoop,
                "The server redirected it \(Hop.mostRedirections) times, last to \(hop.place.host.terminalSafe)."
            )
        }
        guard let text = lull_curl_text(easy, CURLINFO_REDIRECT_URL), case let url = String(cString: text),
            url.utf8.count <= Limits.transferURLBytes, let place = Place(url)
        else {
            return fail(
                TransferFailure.Code.badURL,
                "The server redirected it to something that is not an http or https URL, or is longer than \(Limits.transferURLBytes >> 10) KiB."
            )
        }
        self.hop?.follow(to: url, place: place, status: head.status)
        request()
    }

    /// Turns an error of libcurl into what becomes of the transfer.
    private func give(_ result: CURLcode, _ text: String, _ hop: Hop) {
        let reason = text.terminalSafe
        let host = hop.place.host.terminalSafe
        switch result {
        case CURLE_COULDNT_CONNECT where metNear.pointee != 0:
            fail(
                TransferFailure.Code.badURL,
                "\(host) leads to an address of this machine or its link, which a name that only a `*.` permits may not do. "
                    + "If you mean that, add it in jobs.yaml: `transfers: { hosts: [\(host)] }`.")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: answerMistrust(hop, reason)
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: failForCertificate(hop, reason)
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            fail(
                TransferFailure.Code.badURL,
                "\(hop.place.host.terminalSafe): \(reason). Correct the URL in the app.")
        case _ where reason.contains("certificate required"): failForCertificate(hop, reason)
        // libcurl's limit of a line; up to 8.5 it calls that a lack of memory. A real one would end this process.
        case CURLE_OUT_OF_MEMORY where isInHead, CURLcode(rawValue: 100) where isInHead:
            fail(
                TransferFailure.Code.badServerResponse,
                "The server's header is too long: \(host) sent a line that libcurl does not take.")
        case CURLE_OPERATION_TIMEDOUT:
            let seconds = start.order.idleLimit.milliseconds / 1000
            interrupt("\(hop.place.host.terminalSafe) timed out: nothing came for \(seconds) s.")
        case CURLE_PARTIAL_FILE:
            interrupt("\(hop.place.host.terminalSafe) closed the connection early: \(reason).")
        default: interrupt("\(hop.place.host.terminalSafe): \(reason).")
        }
    }

    /// Whether the head of an answer has begun and is not over.
    private var isInHead: Bool { head.status != 0 && course == nil }

    private func failForCertificate(_ hop: Hop, _ reason: String) {
        fail(
            TransferFailure.Code.clientCertificateRequired,
            "\(hop.place.host.terminalSafe) wants a client certificate, and Lull has none: \(reason)."
        )
    }

    func tooLarge(_ size: Int64) -> TransferNews {
        .failed(
            TransferFailure(
                code: TransferFailure.Code.dataLengthExceedsMaximum,
                sentence:
                    "The file has \(Phrase.size(size)) or more, but the app may transfer only files of up to \(Phrase.size(start.rules.maxSize)). "
                    + "Raise `transfers: { max_size }` in jobs.yaml if that is too little."))
    }

    func writeFault(_ code: Int32) -> TransferNews {
        if code == ENOSPC || code == EDQUOT {
            return interruption("The disk of the transfers' folder is full. Free some of it.")
        }
        let reason = String(cString: strerror(code))
        guard Self.lasts(code) else {
            return interruption("Lull can't write to \(folder.path) at the moment: \(reason).")
        }
        let isCreating = part == nil
        return .failed(
            TransferFailure(
                code: isCreating
                    ? TransferFailure.Code.cannotCreateFile : TransferFailure.Code.cannotWriteToFile,
                sentence: "Lull can't write to \(folder.path): \(reason). "
                    + "Check the folder's owner and mode, and its disk."))
    }

    /// The news of a transfer whose file can't be read.
    func readFault(_ code: Int32) -> TransferNews {
        guard Self.lasts(code) else {
            let reason = String(cString: strerror(code))
            return interruption("The file to upload can't be read at the moment: \(reason).")
        }
        return .failed(Upload.failure(code))
    }

    /// Whether somebody has to fix it. A shortage of this machine, and a fault of a disk or a share, may pass by itself.
    private static func lasts(_ code: Int32) -> Bool {
        [EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EFBIG, ENODATA].contains(code)
    }

    static func shortDisk(free: Int64, expected: Int64, keeps: Int64) -> String {
        "The disk of the transfers' folder is short: \(Phrase.size(free)) are free, \(Phrase.size(expected)) are still to come, "
            + "and \(Phrase.size(keeps)) stay free. Free some of it."
    }
}
