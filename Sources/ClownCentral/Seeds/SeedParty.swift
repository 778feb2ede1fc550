import Foundation

/// A sample party. Its dates are relative to a reference date, so that an old set still has parties last week
/// and next month.
struct SeedParty: Codable, Equatable, Sendable {
    /// The record name. It is fixed, so that loading a set twice creates no duplicates.
    var recordName: String
    var name: String
    var summary: String
    var place: String
    /// Degrees north, WGS 84; `longitude` is in degrees east.
    var latitude: Double
    var longitude: Double
    /// Minutes from midnight UTC of the reference date to the start; negative for a party in the past.
    var startsInMinutes: Int
    var lastsMinutes: Int
    /// One to four clowns.
    var clowns: [SeedClown]
    /// The date that the start is relative to. It is passed in and not part of the file.
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

/// A clown of a sample party.
struct SeedClown: Codable, Equatable, Sendable {
    /// The party's record name with the clown's number, such as `party-0001-clown-2`.
    var recordName: String
    var name: String
    var act: String
}
