/// A colour of the screen, eight bits each of red, green and blue.
struct Colour: Sendable, Hashable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    func mixed(with other: Colour, _ share: Double) -> Colour {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
            let start = Double(a)
            let way = Double(b) - start
            return UInt8((start + way * share).rounded())
        }
        return Colour(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }
}

/// Colours for values from 0 to 1, of one hue and steadily darker or brighter: readable without colour vision.
struct Ramp: Sendable {
    private let stops: [Colour]
    /// The nearest of the 256 colours that many terminals have, chosen by eye: computed, they change their hue.
    private let indices: [UInt8]

    /// On a light screen: the more, the darker.
    static let darkening = Ramp(
        stops: [
            Colour(243, 247, 251), Colour(176, 207, 233), Colour(82, 143, 200), Colour(24, 84, 152),
            Colour(7, 36, 82),
        ], indices: [195, 153, 117, 74, 32, 25, 19, 18, 17])
    /// On a dark screen: the more, the brighter.
    static let brightening = Ramp(
        stops: [
            Colour(18, 34, 58), Colour(22, 68, 120), Colour(42, 118, 190), Colour(112, 178, 232),
            Colour(214, 238, 255),
        ], indices: [17, 18, 19, 25, 32, 74, 117, 153, 195])

    /// A number of the terminal's palette.
    func index(at share: Double) -> UInt8 {
        guard share.isFinite else { return indices[0] }
        return indices[Int((min(max(share, 0), 1) * Double(indices.count - 1)).rounded())]
    }

    func colour(at share: Double) -> Colour {
        guard share.isFinite else { return stops[0] }
        let place = min(max(share, 0), 1) * Double(stops.count - 1)
        let index = min(Int(place), stops.count - 2)
        return stops[index].mixed(with: stops[index + 1], place - Double(index))
    }
}
