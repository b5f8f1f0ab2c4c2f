import Foundation

/// Makes an object of a class that is known by its type alone, with the `init()` that `NSObject` does not promise to
/// its subclasses.
///
/// Not for apps. Open, so that the compiler can't take it for the only class that is made through it, and calls
/// what stands in the table.
open class LullObjectMaker: NSObject {
    /// Never called for itself: it is where the `init()` of the class to make is found.
    public required override init() { super.init() }

    // Not optimized: the optimizer would believe the type that is claimed here, and make that.
    @_optimize(none)
    static func make(_ type: AnyClass) -> AnyObject? {
        guard let type = type as? NSObject.Type else { return nil }
        // Safe: `init()` stands at one place in the tables of all subclasses of NSObject, and nothing that this
        // class declares is touched. The object is only used as the NSObject that it is.
        let made: NSObject = unsafeBitCast(type, to: LullObjectMaker.Type.self).init()
        return made
    }
}
