/// A file of the page, in the binary.
enum PageFile: String, CaseIterable, Equatable {
    case html = "index.html"
    case style = "style.css"
    case page = "page.js"
    case address = "address.js"
    case api = "api.js"
    case app = "app.js"
    case conditions = "conditions.js"
    case dom = "dom.js"
    case history = "history.js"
    case night = "night.js"
    case now = "now.js"
    case task = "task.js"
    case time = "time.js"

    init?(path: String) {
        if path == "/" {
            self = .html
            return
        }
        guard let file = Self.allCases.first(where: { "/" + $0.rawValue == path }) else { return nil }
        self = file
    }

    var contentType: String {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        default: "text/javascript; charset=utf-8"
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .html: PackageResources.index_html
        case .style: PackageResources.style_css
        case .page: PackageResources.page_js
        case .address: PackageResources.address_js
        case .api: PackageResources.api_js
        case .app: PackageResources.app_js
        case .conditions: PackageResources.conditions_js
        case .dom: PackageResources.dom_js
        case .history: PackageResources.history_js
        case .night: PackageResources.night_js
        case .now: PackageResources.now_js
        case .task: PackageResources.task_js
        case .time: PackageResources.time_js
        }
    }
}
