public import LullModel

extension TransferOrder {
    /// Why the order is invalid, with a remedy; nil: it is valid.
    ///
    /// It does not check whether jobs.yaml permits the transfer.
    public var fault: String? {
        nameFault ?? requestFault ?? contentFault ?? limitFault
    }

    private var nameFault: String? {
        guard size <= Limits.transferOrderBytes else {
            return "The transfer's URL, headers and texts have more than \(Limits.transferOrderBytes >> 10) "
                + "KiB together. Send what is long as the body, or as a file."
        }
        guard (1...Limits.identifierBytes).contains(session.utf8.count), session.utf8.allSatisfy(Self.isText)
        else {
            return "The transfer's session has no usable name. Name it with 1 to \(Limits.identifierBytes) "
                + "bytes, none of them a control character."
        }
        guard ordinal > 0 else {
            return "The transfer has the ordinal 0. Give it the one that `transfers` returned, or a "
                + "higher one."
        }
        guard label?.utf8.contains(0) != true else {
            return "The transfer's label has a NUL in it. Take it out."
        }
        return nil
    }

    private var requestFault: String? {
        let address = url.utf8
        guard let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) }) else {
            return "The URL of the transfer is neither http nor https. Begin it with http:// or "
                + "https://."
        }
        guard address.count <= Limits.transferURLBytes, address.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let first = address.dropFirst(scheme.utf8.count).first, !"/?#".utf8.contains(first)
        else {
            return "The URL of the transfer names no host, is longer than \(Limits.transferURLBytes >> 10) "
                + "KiB, or has a character that a URL can't have. Escape such a character, as in %20."
        }
        guard Self.isToken(method), method.utf8.count <= 32 else {
            return "'\(method)' is not an HTTP method. Use one such as GET, PUT or POST."
        }
        guard headers.allSatisfy({ Self.isToken($0.name) && $0.value.utf8.allSatisfy(Self.isText) }) else {
            return "A header of the transfer has an empty name, or a character in it that HTTP forbids, "
                + "such as a line break. Take it out."
        }
        return nil
    }

    private var contentFault: String? {
        switch direction {
        case .download:
            if file != nil { return "A download sends no file. Make it an upload." }
            if (body?.bytes.count ?? 0) > Limits.transferBodyBytes {
                return "The body of the transfer has more than \(Limits.transferBodyBytes >> 10) KiB. "
                    + "Send it as the file of an upload."
            }
        case .upload:
            if body != nil { return "An upload sends a file, not a body. Write the body into the file." }
            guard let file, TransferFiles.isUpload(file) else {
                return "The upload has no usable file. Name a file that can be read."
            }
        }
        return nil
    }

    private var limitFault: String? {
        if [expectedToSend, expectedToReceive].contains(where: { ($0 ?? 0) < 0 }) {
            return "The transfer expects a negative number of bytes. Leave out sizes that are not known."
        }
        let life = Limits.transferLife
        if [idleLimit, wholeLimit].contains(where: { $0 <= .zero || $0 > life }) {
            return "A time limit of the transfer is not between 1 ms and \(life.milliseconds / 86_400_000) "
                + "days. Set one that is."
        }
        if let begin = earliestBegin?.milliseconds, !(0..<1 << 53).contains(begin) {
            return "The transfer's begin date does not exist. Set another, or none."
        }
        if resumes?.number == 0 { return "There is no transfer 0 to resume. Begin a new one." }
        return nil
    }

    /// The size of the order without its body, in bytes.
    private var size: Int {
        let texts = [session, method, url, file ?? "", label ?? ""]
        // Each header is sent with ": " and the end of its line.
        return texts.reduce(0) { $0 + $1.utf8.count }
            + headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    private static func isText(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 9 }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
    }
}

extension TransferAnswer {
    /// Why the answer is invalid; nil: it is valid.
    public var fault: String? {
        guard case .credential(let user, let password) = self else { return nil }
        let isSound = [user, password].allSatisfy { text in
            text.utf8.count <= Limits.credentialBytes && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
        return isSound
            ? nil
            : "The user's name or password has more than \(Limits.credentialBytes) bytes, or a control "
                + "character. Give others."
    }
}
