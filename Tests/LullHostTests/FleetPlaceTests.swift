import Foundation
import Testing

@testable import LullHost

/// The number that identifies a state in a fleet.
struct FleetPlaceTests {
    private let state = StateFolder(
        option: FileManager.default.temporaryDirectory.appendingPathComponent("lull-\(UUID().uuidString)")
            .path,
        environment: [:], isRoot: false)

    @Test func `is drawn once and stays, and a damaged one is drawn anew`() throws {
        defer { try? FileManager.default.removeItem(atPath: state.path) }
        #expect(state.fleetPlace == nil)
        try state.create()
        let place = try state.makeFleetPlace()
        #expect(place.count == 32 && state.fleetPlace == place)
        #expect(try state.makeFleetPlace() == place)
        let other = try state.makeFleetPlace(anew: true)
        #expect(other != place && state.fleetPlace == other)
        let file = state.path + "/" + StateFolder.placeFile
        try "…\n".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(state.fleetPlace == nil)
        #expect(try state.makeFleetPlace() != place)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        #expect(throws: HostError.self) { try state.check() }
    }
}
