import LullAnswers
import LullCommands
import LullModel

/// The data of `lull top --fleet`, and what a person has chosen in it.
struct FleetTopModel: LiveView {
    enum Pane { case none, why, help }

    /// The fleet's name.
    let fleet: String
    /// The state that the command was given by name.
    var state: String?
    private(set) var overview: FleetOverview?
    /// When the overview was read: all spans in it count from then.
    private(set) var asOf = WallTime.distantPast
    private(set) var rows: [FleetTopRow] = []
    private(set) var pane = Pane.none
    private(set) var selected: FleetTopRow.Subject.ID?
    private(set) var why: FleetWhy?
    /// Why the database does not answer.
    private(set) var trouble: String?
    var list = Scroll()
    var text = Scroll()

    init(fleet: String, state: String? = nil) { (self.fleet, self.state) = (fleet, state) }

    var selectedIndex: Int? { rows.firstIndex { $0.subject.id == selected } }
    var selection: FleetTopRow? { selectedIndex.map { rows[$0] } }

    /// While the database does not answer, only the overview is asked for.
    var questions: [FleetTopQuestion] {
        guard pane == .why, trouble == nil, let task = selection?.task else { return [] }
        return [.why(task)]
    }

    let tick: Duration = .seconds(30)

    mutating func hear(_ news: FleetNews) {
        switch news {
        case .overview(let overview, let time):
            let before = selectedIndex ?? 0
            (self.overview, asOf, trouble) = (overview, time, nil)
            rows = FleetTopRow.all(of: overview)
            // The selected row has gone: select the one in its place.
            if selection == nil, !rows.isEmpty { selected = rows[min(before, rows.count - 1)].subject.id }
        case .why(let why):
            if why.task == selection?.task { self.why = why }
        case .away(let sentence): trouble = sentence
        }
    }

    mutating func press(_ key: KeyPress) -> [LiveAction<FleetTopQuestion>] {
        switch (key, pane) {
        case (.interrupt, _), (.character("q"), .none): return [.quit]
        case (.escape, .why), (.escape, .help), (.character("q"), _): pane = .none
        case (.character("?"), _), (.character("h"), _): pane = pane == .help ? .none : .help
        case (_, .help): _ = text.press(key)
        case (.character("w"), .none), (.enter, .none): return openWhy()
        case (.character("w"), .why), (.enter, .why): pane = .none
        case (.pageUp, .why), (.pageDown, .why), (.character(" "), .why): _ = text.press(key)
        case (.tab, _): return select(nextPart)
        default: return move(key)
        }
        return []
    }

    private mutating func openWhy() -> [LiveAction<FleetTopQuestion>] {
        guard selection != nil else { return [] }
        pane = .why
        text = Scroll()
        return questions.map { .ask($0) }
    }

    /// The first row of the part behind that of the selected row.
    private var nextPart: Int {
        let part = selection?.part
        let rest = rows.indices.drop { rows[$0].part != part }.drop { rows[$0].part == part }
        return rest.first ?? 0
    }

    /// Moves the selection; the list follows it.
    private mutating func move(_ key: KeyPress) -> [LiveAction<FleetTopQuestion>] {
        Scroll.row(from: selectedIndex ?? 0, of: rows.count, key).map { select($0) } ?? []
    }

    private mutating func select(_ index: Int) -> [LiveAction<FleetTopQuestion>] {
        guard rows.indices.contains(index) else { return [] }
        let row = rows[index]
        guard row.subject.id != selected else { return [] }
        if row.task != selection?.task { why = nil }
        selected = row.subject.id
        return pane == .why ? openWhy() : []
    }

    mutating func lines(_ size: ScreenSize, phrases: Phrases, hasColour: Bool) -> [String] {
        FleetTopScreen(
            size: size,
            phrases: Phrases(now: overview == nil ? phrases.now : asOf, zone: phrases.zone, state: state),
            terminal: Terminal(columns: size.columns, hasColour: hasColour)
        )
        .lines(&self)
    }
}
