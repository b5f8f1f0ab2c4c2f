/// The clause of a reason that quotes what a plugin printed: the one part of it that may hold a secret.
///
/// Who may read reasons but not output is shown them without it, so it is known by its beginning.
public enum PrintedLast {
    public static let beginning = "; it printed last: "
}
