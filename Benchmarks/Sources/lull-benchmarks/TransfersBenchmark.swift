import CBenchmarks
import Foundation

/// The cost of transfers: their rate, the time of many small ones, the memory of many at once, and of waiting ones.
///
/// The reference is `curl`, which uses the same library, with the same files from the same server.
struct TransfersBenchmark {
    let workshop: Workshop
    private static let rounds = 5
    private static let smallFiles = 1000
    private static let smallFilesAtOnce = 4
    static let manyAtOnce = 100

    func rows() throws -> [Row] {
        guard NginxServer.isThere, FileManager.default.isExecutableFile(atPath: CurlReference.path) else {
            Progress.say("  left out: nginx or curl is not there (apt-get install nginx-light curl)")
            return []
        }
        let nginx = try NginxServer(workshop)
        try nginx.serve("large", bytes: 1 << 30)
        try nginx.serve("small", bytes: 10 << 10)
        try nginx.serve("middle", bytes: 1 << 20)
        return try places().flatMap { try rate(nginx, $0) } + places().flatMap { try small(nginx, $0) }
            + NginxServer.Port.allCases.map { try many(nginx, $0) }
            + WaitingTransfersBenchmark(workshop: workshop).rows()
    }

    /// The destination of the files.
    private struct Place {
        let name: String
        let folder: String
        /// If so, `curl` must sync its files, because a transfer is durable at its end.
        let isDisk: Bool
    }

    private func places() throws -> [Place] {
        let disk = Place(name: "to a disk", folder: try workshop.empty("transferred"), isDisk: true)
        guard let memory = workshop.memory else { return [disk] }
        return [disk, Place(name: "to memory", folder: memory, isDisk: false)]
    }

    /// A gibibyte, from the start until its app could have it.
    private func rate(_ nginx: NginxServer, _ place: Place) throws -> [Row] {
        Progress.say("  1 GiB \(place.name) …")
        let turns = try inTurns(
            place, [nginx.url("large")], atOnce: 1, rounds: Self.rounds,
            curl: CurlReference(to: place.folder, authority: nil, isDurable: place.isDisk))
        let (own, curl) = (Sample(turns.own.map(Self.rate)), Sample(turns.curl.map(Self.rate)))
        let median = Figures.mebibytes(own.median)
        return [
            Row(
                "1 GiB on loopback \(place.name), a second",
                median + " (\(Figures.mebibytes(own.least))–\(Figures.mebibytes(own.most)))",
                against: (place.isDisk ? "`curl` and `fsync`: " : "`curl`: ")
                    + Figures.mebibytes(curl.median),
                ratio: Figures.ratio(own.median / curl.median), aim: "0.9 ×")
        ]
    }

    private static func rate(_ nanoseconds: Double) -> Double { Double(1 << 30) / (nanoseconds / 1e9) }

    private func small(_ nginx: NginxServer, _ place: Place) throws -> [Row] {
        let count = Figures.grouped(Self.smallFiles)
        Progress.say("  \(count) small files \(place.name) …")
        let urls = (0..<Self.smallFiles).map { nginx.url("small?\($0)") }
        let turns = try inTurns(
            place, urls, atOnce: Self.smallFilesAtOnce, rounds: 3,
            curl: CurlReference(to: place.folder, authority: nil, isDurable: place.isDisk))
        return [
            Row(
                "\(count) files of 10 KiB \(place.name), \(Self.smallFilesAtOnce) at once", Sample(turns.own),
                against: (
                    name: "`curl --parallel`" + (place.isDisk ? ", then `fsync` of each" : ""),
                    sample: Sample(turns.curl)
                ), aim: "–")
        ]
    }

    /// Nanoseconds of both, in turns, after one warm-up round of each.
    private func inTurns(
        _ place: Place, _ urls: [String], atOnce: Int, rounds: Int, curl: CurlReference
    ) throws -> (own: [Double], curl: [Double]) {
        let runner = try TransferRunner(workshop, in: place.folder)
        var (own, other): ([Double], [Double]) = ([], [])
        for _ in 0...rounds {
            sync()
            own.append(try runner.fetch(urls, atOnce: atOnce))
            try runner.clear()
            sync()
            other.append(try curl.fetch(urls, atOnce: atOnce))
            try runner.clear()
        }
        return (Array(own.dropFirst()), Array(other.dropFirst()))
    }

    /// A hundred transfers, each slow enough that all run at once.
    private func many(_ nginx: NginxServer, _ port: NginxServer.Port) throws -> Row {
        let way =
            switch port {
            case .plain: "without TLS"
            case .secure: "with TLS"
            case .multiplexed: "with TLS and HTTP/2"
            }
        Progress.say("  \(Self.manyAtOnce) at once \(way) …")
        let folder = try workshop.empty("many")
        let urls = (0..<Self.manyAtOnce).map { nginx.url("slow/middle?\($0)", port) }
        let runner = try TransferRunner(workshop, in: folder, authority: nginx.authorities)
        _ = try runner.fetch(urls, atOnce: Self.manyAtOnce)
        guard let pid = runner.pid else { throw BenchmarkError("lull-transfer is gone") }
        let own = try ProcessUse.highest(of: pid)
        try runner.clear()
        let curl = try CurlReference(to: folder, authority: nginx.authorities, isDurable: false)
            .highest(urls, atOnce: Self.manyAtOnce)
        return Row(
            "\(Self.manyAtOnce) transfers at once \(way): memory of `lull-transfer` at its highest",
            Figures.mebibytes(own), against: "`curl --parallel`: \(Figures.mebibytes(curl))",
            ratio: Figures.ratio(own / curl), aim: "25 MiB")
    }
}
