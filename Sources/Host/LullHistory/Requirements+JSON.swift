import LullModel

extension Requirements {
    init?(json text: String) {
        guard let value = try? JSONLine.value(Array(text.utf8)) else { return nil }
        self.init(json: value)
    }
}
