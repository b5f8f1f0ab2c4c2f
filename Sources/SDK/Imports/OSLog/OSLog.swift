// `import OSLog` is `import os`; `lull history` shows what was logged.
@_exported import os
