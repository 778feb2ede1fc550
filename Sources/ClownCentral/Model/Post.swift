import Foundation

/// A post of a person, with tags and attachments.
struct Post: Identifiable, Hashable, Sendable {
    /// The name of the post's object.
    let id: String
    var title: String
    var content: String
    var written: Date
    /// The names of its tags, sorted, each once.
    var tags: [String] = []
    /// Its attachments, sorted by name.
    var attachments: [Attachment] = []
    /// The walk on which it was written; nil if none was uploaded.
    var walk: Walk?
}

/// A file that belongs to a post.
struct Attachment: Identifiable, Hashable, Sendable {
    /// The name of the attachment's object.
    let id: String
    var name: String
    var byteCount: Int
}

/// A tag with the number of posts that have it.
struct Tag: Hashable, Sendable {
    let name: String
    let postCount: Int

    /// The text by which tags of equal names are recognized: `Party` and `party` are one tag.
    static func key(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }
}

/// A text that is not published as a post yet. It is on one device only.
struct Draft: Identifiable, Hashable, Sendable {
    /// The name of the draft's object.
    let id: String
    var title: String
    var content: String
    var written: Date
}

/// A summary of many measured positions.
struct Walk: Hashable, Sendable {
    /// The mean of the latitudes and of the longitudes.
    let centre: Coordinate
    /// The length of the path along all positions, in metres.
    let metres: Double

    init(centre: Coordinate, metres: Double) {
        (self.centre, self.metres) = (centre, metres)
    }

    /// The walk along positions; nil if there are none.
    init?(_ places: [Coordinate]) {
        guard !places.isEmpty else { return nil }
        let count = Double(places.count)
        centre = Coordinate(
            latitude: places.reduce(0) { $0 + $1.latitude } / count,
            longitude: places.reduce(0) { $0 + $1.longitude } / count)
        metres = zip(places, places.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}
