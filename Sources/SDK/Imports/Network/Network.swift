// On Apple's systems the module brings both along, and files that import nothing else count on it.
@_exported import Dispatch
@_exported import Foundation
