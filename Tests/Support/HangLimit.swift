/// After this long a wait of a test is taken to hang, and the test fails.
///
/// It is there to find hangs only: on a slow, busy machine a wait that will end is over long before it. A test never
/// measures speed by it.
public let hangLimit = Duration.seconds(600)
