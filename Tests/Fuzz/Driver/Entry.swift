import FuzzChecks
import Glibc

/// The function that libFuzzer calls. `LULL_FUZZ` names the check to run; all arguments are libFuzzer's.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try check.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        say("\n\(check.rawValue): \(error)\n")
        abort()
    }
    return 0
}

private let check: FuzzCheck = {
    let name = getenv("LULL_FUZZ").map { String(cString: $0) } ?? ""
    if let check = FuzzCheck(rawValue: name) { return check }
    let names = FuzzCheck.allCases.map(\.rawValue).joined(separator: ", ")
    say("LULL_FUZZ is '\(name)'. Set it to one of \(names); `make fuzz` does.\n")
    exit(64)
}()

private func say(_ text: String) { _ = write(STDERR_FILENO, text, text.utf8.count) }
