// `import OSLog` is `import os`: what was logged is read with `lull history`.
@_exported import os
