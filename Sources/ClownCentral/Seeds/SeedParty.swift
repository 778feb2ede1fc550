import Foundation

/// A party to fill an empty database with. Its dates count from a day that is passed in, so a set written
/// years ago still has parties last week and parties next month.
struct SeedParty: Codable, Equatable, Sendable {
    /// The key of the party in its set, and the name of its record: loading a set twice doubles nothing.
    var recordName: String
    var name: String
    var summary: String
    var place: String
    /// Degrees north and east, WGS 84.
    var latitude: Double
    var longitude: Double
    /// From midnight (UTC) of the reference day to the start; negative when the party is over.
    var startsInMinutes: Int
    var lastsMinutes: Int
    /// One to four.
    var clowns: [SeedClown]
    /// The moment the dates count from. It is passed in and no part of the file.
    var referenceDate = Date(timeIntervalSince1970: 0)

    var starts: Date {
        let secondsPerDay = 86_400.0
        let midnight = (referenceDate.timeIntervalSince1970 / secondsPerDay).rounded(.down) * secondsPerDay
        return Date(timeIntervalSince1970: midnight + Double(startsInMinutes) * 60)
    }

    var ends: Date {
        starts.addingTimeInterval(Double(lastsMinutes) * 60)
    }

    private enum CodingKeys: String, CodingKey {
        case recordName, name, summary, place, latitude, longitude, startsInMinutes, lastsMinutes, clowns
    }
}

/// A clown booked for a seed party.
struct SeedClown: Codable, Equatable, Sendable {
    /// The party's key with the clown's number behind it, such as `party-0001-clown-2`.
    var recordName: String
    var name: String
    var act: String
}
