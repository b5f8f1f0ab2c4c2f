// All that there is of SwiftUI here, for `import SwiftUI`: what an app does in the background. Nothing is drawn.
@_exported import BackgroundTasksUI
// Apple's SwiftUI brings both along too.
@_exported import Observation
@_exported import UIKit
