/// A crash of a handler that casts its task to another class than the run's, with Apple's idiom `task as! BGProcessingTask`.
///
/// Swift's runtime names both classes, and neither the place nor what made the run of its kind.
struct CastTrap {
    let sentence: String

    /// Nil when the crash was another.
    init?(_ lastLine: LastLine) {
        guard let line = lastLine.quoted.last(where: { $0.hasPrefix("Could not cast value of type ") }) else {
            return nil
        }
        let names = line.matches(of: /'BackgroundTasks\.(BG\w+Task|LullPushTask)'/).map { String($0.1) }
        guard names.count == 2 else { return nil }
        sentence =
            "The task of this run is a \(names[0]), because of its request or its `kind` in jobs.yaml, and its handler casts "
            + "it to \(names[1]). Cast it to \(names[0]), or change the kind"
    }
}
