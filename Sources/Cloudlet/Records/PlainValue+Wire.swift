// Owns the translation of field values between the objects of apps and the vocabulary of the server.

import Foundation
internal import Records

/// What has to be known of a database to translate what its server says.
struct WireContext: Sendable {
    /// In one's own databases every zone is one's own, however the server spells its owner.
    var isShared = false
    var isSignedIn = true
    /// Seals and opens encrypted values; nil leaves them as they are.
    var cipher: FieldCipher?

    func zoneID(_ zone: ZoneID) -> CKRecordZoneID {
        let owner = isShared ? zone.owner : nil
        if owner == nil, zone.isDefault { return .default }
        return CKRecordZoneID(zoneName: zone.name, ownerName: owner ?? CKCurrentUserDefaultName)
    }

    func recordID(_ id: RecordID) -> CKRecordID {
        CKRecordID(recordName: id.name, zoneID: zoneID(id.zone))
    }

    /// A person's record lives in the default zone.
    func userRecordID(_ name: String) -> CKRecordID {
        CKRecordID(recordName: name)
    }

    /// The object for an encrypted value; nil for one that this device cannot open.
    func opened(_ value: FieldValue, of record: RecordID, field: String) -> (any __CKRecordObjCValue)? {
        switch cipher?.open(value, of: recordID(record), field: field) {
        case .value(let plain)?: plain.object
        case .closed?: nil
        case .unsealed?, nil: object(value, home: record.zone)
        }
    }

    /// The object for a value that a record in `home` holds.
    func object(_ value: FieldValue, home: ZoneID) -> any __CKRecordObjCValue {
        switch value {
        case .string(let text): NSString(string: text)
        case .int64(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .timestamp(let timestamp): timestamp.date as NSDate
        case .bytes(let bytes): NSData(data: Data(bytes))
        case .reference(let reference):
            CKReference(
                recordID: recordID(reference.target(from: home)),
                action: reference.action == .deleteSelf ? .deleteSelf : .none
            )
        case .asset(let asset): CKAsset(fileURL: nil, stored: asset)
        case .location(let location): CLLocation(PlainLocation(location))
        case .list(_, let values): NSArray(array: values.map { object($0, home: home) })
        }
    }
}

extension ZoneID {
    init(_ id: CKRecordZoneID) {
        self.init(
            name: id.zoneName,
            owner: id.ownerName == CKCurrentUserDefaultName ? nil : id.ownerName
        )
    }
}

extension RecordID {
    init(_ id: CKRecordID) {
        self.init(name: id.recordName, zone: ZoneID(id.zoneID))
    }
}

extension Reference {
    /// Leaves the zone out when it is that of the holder, if there is one.
    init(_ plain: PlainReference, home: ZoneID?) {
        let zone = ZoneID(CKRecordZoneID(plain.target.zone))
        self.init(
            recordName: plain.target.name,
            zone: zone == home ? nil : zone,
            action: plain.deletesSelf ? .deleteSelf : .none
        )
    }
}

extension PlainLocation {
    init(_ location: Location) {
        self.init(
            latitude: location.latitude,
            longitude: location.longitude,
            altitude: location.altitude,
            horizontalAccuracy: location.horizontalAccuracy,
            verticalAccuracy: location.verticalAccuracy,
            course: location.course,
            speed: location.speed,
            timestamp: location.timestamp?.date
        )
    }

    var location: Location {
        var location = Location(latitude: latitude, longitude: longitude)
        location.altitude = altitude
        location.horizontalAccuracy = horizontalAccuracy
        location.verticalAccuracy = verticalAccuracy
        location.course = course
        location.speed = speed
        location.timestamp = timestamp.map { Timestamp($0) }
        return location
    }
}

extension PlainValue {
    /// The server's form of the value, seen from a record or query in `home`; nil: from all zones. Throws a
    /// reason in words.
    func fieldValue(home: ZoneID?) throws(FieldRefusal) -> FieldValue {
        switch self {
        case .string(let text): return .string(text)
        case .integer(let number): return .int64(number)
        case .real(let number):
            guard number.isFinite else { throw FieldRefusal("\(number) is not a number that can be stored") }
            return .double(number)
        case .date(let date): return .timestamp(Timestamp(date))
        case .bytes(let data): return .bytes([UInt8](data))
        case .reference(let reference): return .reference(Reference(reference, home: home))
        case .asset: throw FieldRefusal("an asset cannot stand here")
        case .location(let location):
            guard (-90...90).contains(location.latitude), (-180...180).contains(location.longitude) else {
                throw FieldRefusal("\(location.latitude), \(location.longitude) is no place on the globe")
            }
            return .location(location.location)
        case .list(let values): return try Self.list(values, home: home)
        }
    }

    private static func list(_ values: [PlainValue], home: ZoneID?) throws(FieldRefusal) -> FieldValue {
        var elements: [FieldValue] = []
        let hasReals = values.contains { if case .real = $0 { true } else { false } }
        for value in values {
            if hasReals, case .integer(let number) = value {
                elements.append(.double(Double(number)))
            } else {
                elements.append(try value.fieldValue(home: home))
            }
        }
        return try FieldValue.list(of: elements)
    }
}

extension FieldValue {
    /// A list of values of one type; an empty one counts as a list of strings.
    static func list(of elements: [FieldValue]) throws(FieldRefusal) -> FieldValue {
        let type = elements.first?.type.element ?? .string
        guard elements.allSatisfy({ $0.type == .scalar(type) }) else {
            throw FieldRefusal("a list holds values of one type only")
        }
        return .list(type, elements)
    }
}

/// Why a value cannot be sent, in words that follow the field's name.
struct FieldRefusal: Error {
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
