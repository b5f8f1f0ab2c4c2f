import GRDB
public import LullModel

extension SQLiteHistory {
    /// A page of the history for the fleet's database: events in the order of their numbers, without those that stay on the host,
    /// and the last output of the runs that they end.
    public func page(_ request: MirrorPage.Request) throws(HistoryError) -> MirrorPage {
        try readNamed { db, names in
            let table = EventTable(of: db, names)
            let after = try Self.start(of: request, db)
            let rows = try EventRows(
                table, table.selection + " WHERE seq > ? ORDER BY seq LIMIT ?",
                [after, MirrorPage.mostRead + 1])
            var lines: [MirrorPage.Line] = []
            var outputs: [MirrorPage.Output] = []
            var room = request.bytes
            var isFull = false
            var (end, read, withheld) = (after, 0, 0)
            while let row = try rows.next() {
                isFull = read == MirrorPage.mostRead
                if isFull { break }
                read += 1
                guard row.event.isForFleet else {
                    (end, withheld) = (row.seq, withheld + 1)
                    continue
                }
                let event = request.isBrief ? row.event.bare : row.event.withoutPayload
                let line = MirrorPage.Line(
                    sequence: row.seq, text: HistoryLines.encode(event), withheld: withheld)
                let output = request.isBrief ? nil : try Self.lastWords(of: event, row.seq, db)
                room -= line.text.utf8.count + (output?.text.utf8.count ?? 0)
                isFull = lines.count == request.events || (room < 0 && !lines.isEmpty)
                if isFull { break }
                lines.append(line)
                (end, withheld) = (row.seq, 0)
                if let output { outputs.append(output) }
            }
            return MirrorPage(
                lines: lines, outputs: outputs, after: after, through: end, withheld: withheld,
                isFull: isFull,
                last: try Self.lastSeq(db))
        }
    }

    private static func start(of request: MirrorPage.Request, _ db: Database) throws -> Int64 {
        guard request.after == 0, let oldest = request.oldest else { return request.after }
        let last = try Int64.fetchOne(
            db, sql: "SELECT max(seq) FROM events WHERE time < ?", arguments: [oldest.milliseconds])
        return last ?? 0
    }

    private static func lastWords(
        of event: HistoryEvent, _ seq: Int64, _ db: Database
    ) throws -> MirrorPage.Output? {
        guard event.ending != nil, let run = event.run, let output = try OutputRows.output(of: run, db)
        else { return nil }
        let text = output.ownText
        guard text.utf8.count > MirrorPage.outputBytes else {
            return text.isEmpty ? nil : MirrorPage.Output(run: run, sequence: seq, text: text)
        }
        let last = text.utf8.suffix(MirrorPage.outputBytes - 64)
        let whole = last.firstIndex(of: UInt8(ascii: "\n")).map { last[$0...].dropFirst() } ?? last
        return MirrorPage.Output(
            run: run, sequence: seq,
            text: "… what it printed before is left out …\n" + String(decoding: whole, as: UTF8.self))
    }
}

extension HistoryEvent {
    fileprivate var bare: HistoryEvent {
        HistoryEvent(
            event, at: time, app: app, task: task, run: run, outcome: outcome,
            reason: "The fleet's database refused the rest of this event. `lull history` on its host has it.")
    }
}
