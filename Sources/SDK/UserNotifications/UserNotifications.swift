// On Apple's systems the module brings Foundation along, and so does it here: one import is enough.
@_exported import Foundation
