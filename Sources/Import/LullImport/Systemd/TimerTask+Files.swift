/// The files from which a service has its variables, in the words of a manifest.
extension TimerTask {
    /// `variables`: those of `Environment=`.
    mutating func environmentFiles(
        of service: UnitFile, _ names: UnitNames, over variables: [(key: String, value: YAMLText)]
    ) -> YAMLText? {
        var files: [YAMLText] = []
        for line in service.all("EnvironmentFile", in: "Service") {
            let mayBeMissing = line.value.hasPrefix("-")
            let written = line.value.dropFirst(mayBeMissing ? 1 : 0)
            guard let path = names.path(written), !written.contains(where: { "*?[".contains($0) }) else {
                warn(
                    line, "the variables of \(line.value) are not carried over",
                    fix: "write the path of each file under `env_file`")
                continue
            }
            files.append(.text((mayBeMissing ? "-" : "") + path))
            warnOfReader(path, line)
            if !variables.isEmpty {
                let keys = variables.map(\.key).joined(separator: ", ")
                warn(
                    line, "\(path) overrides Environment= in systemd, but `env` overrides it in lull",
                    fix: "take out of `env` what it sets (\(keys))")
            }
        }
        return files.count > 1 ? .list(files) : files.first
    }

    private mutating func warnOfReader(_ path: String, _ line: UnitFile.Line) {
        if timer.isOfUser || user == "root" { return }
        let reader = user ?? "the account that Lull makes for the app"
        warn(
            line, "systemd reads \(path) as root, but lull as \(reader)",
            fix: "let that user read it; otherwise the task fails")
    }

    /// `LoadCredential=NAME:/path`. Other sources of credentials are named in notes, but never their content.
    mutating func secrets(of service: UnitFile, _ names: UnitNames) -> YAMLText? {
        var secrets: [(key: String, value: YAMLText)] = []
        for line in service.all("LoadCredential", in: "Service") {
            let parts = line.value.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = names.expanded(parts[0]), Self.isSecretName(name),
                let path = names.path(parts[1])
            else {
                warn(
                    line, "not carried over: LoadCredential=\(line.value)",
                    fix: "write its absolute path under `secrets`, if the command needs it")
                continue
            }
            warnOfReader(path, line)
            secrets.removeAll { $0.key == name }
            secrets.append((name, .mapping([("file", .text(path))])))
        }
        for key in ["LoadCredentialEncrypted", "SetCredential", "SetCredentialEncrypted"] {
            for line in service.all(key, in: "Service") {
                let name = line.value.prefix { $0 != ":" }
                warn(
                    line, "not carried over: \(key)=\(name)",
                    fix: key == "SetCredential"
                        ? "write it into a file of mode 600, and name that under `secrets`"
                        : "have `command` under `secrets` print it, or name a file that holds it")
            }
        }
        return secrets.isEmpty ? nil : .mapping(secrets)
    }

    /// Whether the plugin Command takes such a name.
    private static func isSecretName(_ name: String) -> Bool {
        !name.hasPrefix(".") && !name.isEmpty && name.utf8.count <= 255
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                    || "_-.@+".unicodeScalars.contains($0)
            }
    }
}

extension UnitNames {
    /// An absolute path with its specifiers replaced; nil: it is not absolute, or a specifier is not known.
    fileprivate func path(_ text: Substring) -> String? { text.hasPrefix("/") ? expanded(text) : nil }

    fileprivate func expanded(_ text: Substring) -> String? {
        var path = String.UnicodeScalarView()
        var rest = text.unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "%", let letter = rest.popFirst() {
                guard let meant = value(of: letter) else { return nil }
                path += meant.unicodeScalars
            } else {
                path.append(scalar)
            }
        }
        return String(path)
    }
}
