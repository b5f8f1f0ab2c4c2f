// All that there is of UIKit here, for `import UIKit`: what an app does in the background. Nothing is drawn.
@_exported import BackgroundTasks
