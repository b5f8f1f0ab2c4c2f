private import CLullPage

/// A file of the page, in the binary.
struct PageFile: Equatable {
    let name: String
    let bytes: [UInt8]

    static let all: [PageFile] = {
        var count = 0
        let files = UnsafeBufferPointer(start: lull_page_files(&count), count: count)
        return files.map { file in
            PageFile(
                name: String(cString: file.name),
                bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.size)))
        }
    }()

    static func at(path: String) -> PageFile? {
        all.first { "/" + $0.name == (path == "/" ? "/index.html" : path) }
    }

    var contentType: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        default: "text/javascript; charset=utf-8"
        }
    }
}
