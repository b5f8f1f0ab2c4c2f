import CLullCurl
import LullModel
import LullTransfers

/// Sets libcurl up for a request.
extension Attempt {
    /// The buffer of each transfer: large where there are few, which is faster, and of a TLS record where there are many.
    private var bufferBytes: Int {
        let usual = engine.count <= 4 ? 256 << 10 : engine.count <= 16 ? 32 << 10 : 16 << 10
        guard let rate = start.rules.rate else { return usual }
        // libcurl fills it a hundred times before it looks at the rate: no more comes at once than in a second.
        return min(usual, max(1024, Int(rate) / (100 * max(1, start.rules.atOnce))))
    }
    private static let longestConnecting: Duration = .seconds(60)

    func prepare(_ easy: CurlHandle, _ hop: Hop) {
        curl_easy_reset(easy)
        lull_curl_set_text(easy, CURLOPT_URL, hop.url)
        lull_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        lull_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        lull_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        lull_curl_set_number(easy, CURLOPT_BUFFERSIZE, bufferBytes)
        lull_curl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Without TLS there is no HTTP/2, and libcurl would wait until the first of a server's transfers is over.
        lull_curl_set_number(easy, CURLOPT_PIPEWAIT, hop.place.scheme == "https" ? 1 : 0)
        lull_curl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        lull_curl_set_number(easy, CURLOPT_TCP_KEEPALIVE, 1)
        // Bytes as the server has them, so that ranges are of them.
        lull_curl_set_number(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        lull_curl_set_text(easy, CURLOPT_USERAGENT, "lull/\(LullVersion.text)")
        let idle = max(.seconds(1), start.order.idleLimit)
        lull_curl_set_number(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        lull_curl_set_number(easy, CURLOPT_LOW_SPEED_TIME, Int(idle.milliseconds / 1000))
        let connecting = min(idle, Self.longestConnecting)
        lull_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(connecting.milliseconds))
        metNear.pointee = 0
        // A proxy may be on this machine, and looks names up itself.
        if start.rules.permission(of: hop.place.host) == .byPattern, !Environment.hasProxy {
            lull_curl_stay_far(easy, metNear)
        }
        setMethod(easy, hop)
        setHeaders(easy, hop)
        setTrust(easy, hop)
        let context = Unmanaged.passUnretained(self).toOpaque()
        lull_curl_on_header(easy, headerCame, context)
        lull_curl_on_write(easy, bodyCame, context)
        lull_curl_on_read(easy, bodyWanted, context)
        lull_curl_on_seek(easy, placeWanted, context)
    }

    private func setMethod(_ easy: CurlHandle, _ hop: Hop) {
        if hop.sends, let upload {
            _ = upload.seek(to: 0)
            lull_curl_set_number(easy, CURLOPT_UPLOAD, 1)
            lull_curl_set_large(easy, CURLOPT_INFILESIZE_LARGE, upload.size)
            if hop.method != "PUT" { lull_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, hop.method) }
        } else if hop.sends, let body = start.order.body {
            lull_curl_set_body(easy, body.bytes, body.bytes.count)
            if hop.method != "POST" { lull_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, hop.method) }
        } else if hop.method == "HEAD" {
            lull_curl_set_number(easy, CURLOPT_NOBODY, 1)
        } else if hop.method == "POST" {
            lull_curl_set_body(easy, nil, 0)
        } else if hop.method != "GET" {
            lull_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, hop.method)
        }
    }

    private func setHeaders(_ easy: CurlHandle, _ hop: Hop) {
        // Headers that libcurl itself sends.
        let own: Set = ["content-length", "transfer-encoding"]
        var lines = hop.headers.filter { !own.contains($0.name.lowercased()) }
            .map { $0.value.isEmpty ? $0.name + ";" : $0.name + ": " + $0.value }
        if let part, let note = part.note, let validator = note.validator, !wantsAll, start.order.mayResume,
            note.status == 200, part.size > 0, Hop.withoutQuery(note.url) == Hop.withoutQuery(hop.url)
        {
            asked = AnswerPlan.Asked(offset: part.size, note: note)
            lines += ["Range: bytes=\(part.size)-", "If-Range: " + validator]
        }
        curl_slist_free_all(list)
        list = nil
        for line in lines { list = curl_slist_append(list, line) ?? list }
        lull_curl_set_list(easy, CURLOPT_HTTPHEADER, list)
    }

    /// Sets the trusted authorities, from the variables or the system. libcurl itself does not read the variables.
    private func setAuthorities(_ easy: CurlHandle) {
        let (file, folder) = (Environment.authorities, Environment.value("SSL_CERT_DIR"))
        if let file { lull_curl_set_text(easy, CURLOPT_CAINFO, file) }
        // With a folder beside it libcurl reads the file for each connection anew, and keeps 0.7 MiB for each.
        if file != nil || folder != nil { lull_curl_set_text(easy, CURLOPT_CAPATH, folder) }
    }

    private func setTrust(_ easy: CurlHandle, _ hop: Hop) {
        setAuthorities(easy)
        if trustedPlace == hop.place {
            lull_curl_set_number(easy, CURLOPT_SSL_VERIFYPEER, 0)
            lull_curl_set_number(easy, CURLOPT_SSL_VERIFYHOST, 0)
        }
        guard let credential, credential.place == hop.place,
            case .credential(let user, let password)? = answer(at: hop.place, ofCertificate: false)?.answer
        else { return }
        let method = credential.method == .digest ? LULL_AUTH_DIGEST : LULL_AUTH_BASIC
        lull_curl_set_number(easy, CURLOPT_HTTPAUTH, method)
        lull_curl_set_text(easy, CURLOPT_USERNAME, user)
        lull_curl_set_text(easy, CURLOPT_PASSWORD, password)
    }
}

@c private func headerCame(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let attempt = attempt(context) else { return 0 }
    attempt.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

@c private func bodyCame(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let attempt = attempt(context) else { return 0 }
    return attempt.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

@c private func bodyWanted(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let attempt = attempt(context), let buffer else { return Int(CURL_READFUNC_ABORT) }
    return attempt.giveBody(into: buffer, size * count) ?? Int(CURL_READFUNC_ABORT)
}

@c private func placeWanted(
    _ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32
) -> Int32 {
    guard let upload = attempt(context)?.upload, origin == 0, upload.seek(to: Int64(offset)) else {
        return Int32(CURL_SEEKFUNC_FAIL)
    }
    return Int32(CURL_SEEKFUNC_OK)
}

private func attempt(_ context: UnsafeMutableRawPointer?) -> Attempt? {
    context.map { Unmanaged<Attempt>.fromOpaque($0).takeUnretainedValue() }
}
