/// Short words for the things that a command names: a file, an address, a sentence above it.
enum NameLabel {
    /// `/var/backups/home.tgz` is `home`, `/srv/shop/data` is `shop_data`.
    static func path(_ text: String) -> String {
        let parts = text.split(separator: "/").map { stem(String($0)) }.filter { !$0.isEmpty }
        guard let last = parts.last else { return "" }
        if vague.contains(last), let outer = parts.dropLast().last, !roots.contains(outer) {
            return outer + "_" + last
        }
        return last
    }

    /// A name without its ending and patterns; empty if it is only a version or a pattern.
    private static func stem(_ name: String) -> String {
        let name = name.drop { $0 == "." }
        return TaskNames.slug(String(name.prefix { $0 != "." }))
    }

    private static let vague: Set<String> = [
        "app", "backup", "backups", "bin", "cache", "config", "current", "cron", "data", "database", "db",
        "files",
        "html", "htdocs", "index", "latest", "log", "logs", "main", "public", "public_html", "run", "storage",
        "tmp", "uploads", "www",
    ]
    /// Folders whose names say nothing about their contents.
    private static let roots: Set<String> = [
        "data", "etc", "home", "lib", "media", "mnt", "opt", "root", "srv", "tmp", "usr", "var", "www",
    ]

    /// `backup@nas.example.org` is `nas`, `www.example.org` is `example`.
    static func host(_ text: String) -> String {
        let name = text.split(separator: "@").last.map(String.init) ?? text
        let parts = name.prefix { $0 != ":" }.lowercased().split(separator: ".").map(String.init)
        if parts.allSatisfy({ $0.allSatisfy(\.isNumber) }) { return parts.isEmpty ? "" : "host" }
        let told = parts.count > 1 ? Array(parts.dropLast()) : parts
        let own = told.first { !["www", "api", "app", "cron", "hooks"].contains($0) }
        return TaskNames.slug(own ?? told.first ?? "")
    }

    /// Host and last step of an address; never its query, nor a step that looks like a key.
    static func address(_ text: String) -> String {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let steps = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map(String.init)
        guard let first = steps.first else { return "" }
        let host = host(first)
        let step = steps.dropFirst().last { step in
            let isKey = step.utf8.count >= 8 && step.contains(where: \.isNumber)
            return !isKey && step.utf8.count <= 24 && !step.contains(":") && step.contains(where: \.isLetter)
                && !step.contains("$")
        }
        return joined([host, step.map(stem) ?? ""])
    }

    /// Where something is copied to, or from: `nas:/backup` is `nas`.
    static func place(_ text: String) -> String {
        if text.contains("://") { return address(text) }
        guard let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/") else { return path(text) }
        return host(String(text[..<colon]))
    }

    /// A comment as a name; nil: it is a sentence, a heading of the fields, or a line that was commented out.
    static func comment(_ text: String) -> String? {
        guard text.allSatisfy({ $0.isASCII && !"=*/\\<>|&$@".contains($0) }) else { return nil }
        if case .job = CrontabLine(text.utf8) { return nil }
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "'") }.map {
            $0.lowercased()
        }
        guard !words.contains("dow"), !words.contains("dom") else { return nil }
        let telling = words.filter { !["a", "an", "the", "our", "my", "all", "every"].contains($0) }
        let name = TaskNames.slug(telling.joined(separator: "_"))
        guard (1...5).contains(telling.count), (3...32).contains(name.utf8.count),
            name.first?.isLetter == true
        else { return nil }
        return name
    }

    /// Joins the parts that are not empty with `_`, none twice in a row.
    static func joined(_ parts: [String]) -> String {
        var name: [String] = []
        for part in parts where !part.isEmpty && part != name.last {
            let longer = (name + [part]).joined(separator: "_")
            if !name.isEmpty, longer.utf8.count > longest { break }
            name.append(part)
        }
        return name.joined(separator: "_")
    }

    private static let longest = 40
}
