/// A test's wait that takes longer than this counts as a hang, and the test fails.
///
/// The limit only finds hangs: even on a slow, busy machine, other waits end long before it. No test measures speed by it.
public let hangLimit = Duration.seconds(600)
