import Foundation

/// Makes an object of a class that is known by its type alone, with the `init()` that `NSObject` does not promise to
/// its subclasses.
///
/// Not for apps. Open, so that the compiler can't assume that `make` always makes this class, and calls `init()` through
/// the class's table.
open class LullObjectMaker: NSObject {
    /// Never called itself: it marks the place of `init()` in the table of the class to make.
    public required override init() { super.init() }

    // Not optimized: the optimizer would believe the cast and make a `LullObjectMaker`.
    @_optimize(none)
    static func make(_ type: AnyClass) -> AnyObject? {
        guard let type = type as? NSObject.Type else { return nil }
        // Safe: `init()` stands at one place in the tables of all subclasses of NSObject, and nothing that this
        // class declares is touched. The object is only used as the NSObject that it is.
        let made: NSObject = unsafeBitCast(type, to: LullObjectMaker.Type.self).init()
        return made
    }
}
