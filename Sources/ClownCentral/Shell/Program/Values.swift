import CommandShell
import Foundation

extension Value {
    /// A location; nil becomes `missing`.
    init(_ place: Coordinate?) {
        self = place.map { .location(Location(latitude: $0.latitude, longitude: $0.longitude)) } ?? .missing
    }
}

extension Value.Size {
    init(_ size: PixelSize) { self.init(width: size.width, height: size.height) }
}

extension ParsedArguments {
    /// The coordinate in a flag's value; nil if the flag is not given.
    func coordinate(_ flag: String) throws -> Coordinate? { try flags[flag].map(Self.coordinate) }

    static func coordinate(_ word: Word) throws -> Coordinate {
        let place = try place(word)
        return Coordinate(latitude: place.latitude, longitude: place.longitude)
    }
}
