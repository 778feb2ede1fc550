// Owns the form that values have in archives and in predicates: Swift values without objects.

import Foundation
internal import Records

/// The value of a field, or a constant of a predicate, free of objects.
enum PlainValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case bytes(Data)
    case reference(PlainReference)
    case asset(PlainAsset)
    case location(PlainLocation)
    case list([PlainValue])
}

/// A zone's identity.
struct PlainZoneID: Codable, Hashable, Sendable {
    var name: String
    var owner: String
}

/// A record's identity.
struct PlainRecordID: Codable, Hashable, Sendable {
    var name: String
    var zone: PlainZoneID
}

/// A reference.
struct PlainReference: Codable, Hashable, Sendable {
    var target: PlainRecordID
    var deletesSelf: Bool
}

/// An asset: a file on this device, what the server keeps, or both.
struct PlainAsset: Codable, Hashable, Sendable {
    var file: URL?
    var checksum: String?
    var size: Int64?
    var downloadURL: String?
}

/// A location; what was not measured is absent.
struct PlainLocation: Codable, Hashable, Sendable {
    var latitude: Double
    var longitude: Double
    var altitude: Double?
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    var course: Double?
    var courseAccuracy: Double?
    var speed: Double?
    var speedAccuracy: Double?
    var timestamp: Date?
}

extension PlainValue: Codable {
    /// One letter a type: archives are small and their format does not follow the names used here.
    private enum CodingKeys: String, CodingKey {
        case string = "s"
        case integer = "i"
        case real = "d"
        case date = "t"
        case bytes = "b"
        case reference = "r"
        case asset = "a"
        case location = "l"
        case list = "L"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch container.allKeys.first {
        case .string: self = .string(try container.decode(String.self, forKey: .string))
        case .integer: self = .integer(try container.decode(Int64.self, forKey: .integer))
        case .real: self = .real(try container.decode(Double.self, forKey: .real))
        case .date: self = .date(try container.decode(Date.self, forKey: .date))
        case .bytes: self = .bytes(try container.decode(Data.self, forKey: .bytes))
        case .reference: self = .reference(try container.decode(PlainReference.self, forKey: .reference))
        case .asset: self = .asset(try container.decode(PlainAsset.self, forKey: .asset))
        case .location: self = .location(try container.decode(PlainLocation.self, forKey: .location))
        case .list: self = .list(try container.decode([PlainValue].self, forKey: .list))
        case nil:
            let context = DecodingError.Context(
                codingPath: container.codingPath, debugDescription: "no value")
            throw DecodingError.dataCorrupted(context)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .string(let value): try container.encode(value, forKey: .string)
        case .integer(let value): try container.encode(value, forKey: .integer)
        case .real(let value): try container.encode(value, forKey: .real)
        case .date(let value): try container.encode(value, forKey: .date)
        case .bytes(let value): try container.encode(value, forKey: .bytes)
        case .reference(let value): try container.encode(value, forKey: .reference)
        case .asset(let value): try container.encode(value, forKey: .asset)
        case .location(let value): try container.encode(value, forKey: .location)
        case .list(let value): try container.encode(value, forKey: .list)
        }
    }
}
