import Foundation

/// The class that app delegates inherit from. Here it responds to nothing: there are no events.
///
/// Apple: UIKit, `UIResponder`.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    /// Makes a responder.
    public override init() {
        super.init()
    }
}
