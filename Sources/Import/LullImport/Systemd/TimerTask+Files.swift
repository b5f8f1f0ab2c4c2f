/// The files that a service has its variables of, in the words of a manifest.
extension TimerTask {
    /// `variables`: those of `Environment=`.
    mutating func environmentFiles(
        of service: UnitFile, _ names: UnitNames, over variables: [(key: String, value: YAMLText)]
    ) -> YAMLText? {
        var files: [YAMLText] = []
        for line in service.all("EnvironmentFile", in: "Service") {
            let mayBeMissing = line.value.hasPrefix("-")
            guard let path = names.path(line.value.dropFirst(mayBeMissing ? 1 : 0)) else {
                warn(
                    line, "the variables of \(line.value) are not carried over",
                    fix: "write the path of each file under `env_file`")
                continue
            }
            files.append(.text((mayBeMissing ? "-" : "") + path))
            if !timer.isOfUser, user != "root" {
                let reader = user ?? "the account that Lull makes for the app"
                warn(
                    line, "systemd reads \(path) as root, and lull as \(reader)",
                    fix: "let that user read it, or the task fails")
            }
            if !variables.isEmpty {
                let keys = variables.map(\.key).joined(separator: ", ")
                warn(
                    line, "\(path) wins over Environment= with systemd, and `env` wins over it with lull",
                    fix: "take out of `env` what it sets (\(keys))")
            }
        }
        return files.count > 1 ? .list(files) : files.first
    }
}

extension UnitNames {
    /// One absolute path with what its specifiers stand for; nil: it is none, or they are not known.
    fileprivate func path(_ text: Substring) -> String? {
        guard text.hasPrefix("/"), !text.contains(where: { "*?[".contains($0) }) else { return nil }
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
