/// Names for the lines of a file in `/etc/cron.d`, which its package named: `certbot`, `munin_limits`, `sysstat_2`.
///
/// A file's only line has the file's name; each of several has it with a word that tells it from the others.
enum FileNames {
    /// Possible names of each line, the best first.
    static func candidates(file: String, lines: [(schedule: String, command: String)]) -> [[String]] {
        let stem = TaskNames.slug(file)
        guard !stem.isEmpty, lines.count > 1 else {
            return lines.map { _ in [stem.isEmpty ? "command" : stem] }
        }
        let commands = lines.map { CommandName($0.command) }
        let names = commands.map(\.words)
        let programs = commands.map { TaskNames.slug($0.program) }
        return lines.indices.map { index in
            let alike = programs.indices.filter { programs[$0] == programs[index] }
            if alike.count == 1 { return [joined(stem, programs[index]), stem] }
            if let argument = difference(of: index, from: alike, names) {
                return [joined(stem, argument), stem]
            }
            return lines[index].schedule == "@reboot" ? [stem + "_reboot", stem] : [stem]
        }
    }

    /// The first argument by which a line differs from all others with its program.
    private static func difference(of index: Int, from alike: [Int], _ names: [[String]]) -> String? {
        let own = names[index]
        let longest = alike.map { names[$0].count }.min() ?? 0
        for place in 1..<max(longest, 1) {
            let all = alike.map { TaskNames.slug(names[$0][place]) }
            let slug = TaskNames.slug(own[place])
            guard Set(all).count == all.count, !slug.isEmpty, slug.first?.isNumber != true else { continue }
            return slug
        }
        return nil
    }

    private static func joined(_ stem: String, _ part: String) -> String {
        if part.isEmpty || part == stem { return stem }
        return part.hasPrefix(stem + "_") ? part : String((stem + "_" + part).prefix(60))
    }
}
