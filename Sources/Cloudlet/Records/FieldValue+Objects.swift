internal import CoreLocation
import Foundation
internal import Records

extension FieldValue {
    /// Creates the value of an object in a record; nil if the object cannot be stored.
    ///
    /// Dates are rounded to milliseconds, and references always have a zone. A list has the type of its first
    /// element; `checked(home:)` checks the other elements.
    init?(_ object: any __CKRecordObjCValue) {
        switch object {
        case let string as NSString: self = .string(String(string))
        case let number as NSNumber: self = FieldValue(number)
        case let date as NSDate: self = .timestamp(Timestamp(date as Date))
        case let data as NSData: self = .bytes([UInt8](Data(referencing: data)))
        case let reference as CKReference: self = .reference(Reference(reference))
        case let asset as CKAsset: self = .asset(asset.stored ?? Asset(fileChecksum: "", size: 0))
        case let location as CLLocation: self = .location(location.measured.place)
        case let array as NSArray:
            var elements: [FieldValue] = []
            for element in array {
                guard let value = FieldValue(FieldBox.object(of: element)) else { return nil }
                elements.append(value)
            }
            self = .unchecked(list: elements)
        default: return nil
        }
    }

    private init(_ number: NSNumber) {
        self = number.isReal ? .double(number.doubleValue) : .int64(number.int64Value)
    }

    /// The object for a value whose references have zones.
    var object: any __CKRecordObjCValue {
        WireContext(isShared: true).object(self, home: .default)
    }

    /// A list whose element types have not been checked.
    static func unchecked(list elements: [FieldValue]) -> FieldValue {
        .list(elements.first?.type.element ?? .string, elements)
    }

    /// The value as the server accepts it. References into `home` lose their zone, and if a list contains
    /// both integers and floating-point numbers, the integers are converted.
    ///
    /// - Parameter home: The zone of the record or query; nil for a query in all zones.
    /// - Throws: `FieldRefusal` if no server accepts the value.
    func checked(home: ZoneID?) throws(FieldRefusal) -> FieldValue {
        switch self {
        case .string, .int64, .timestamp, .bytes: return self
        case .double(let number):
            guard number.isFinite else { throw FieldRefusal("\(number) is not a number that can be stored") }
            return self
        case .reference(var reference):
            if reference.zone == home { reference.zone = nil }
            return .reference(reference)
        case .asset: throw FieldRefusal("an asset is not allowed here")
        case .location(let place):
            guard (-90...90).contains(place.latitude), (-180...180).contains(place.longitude) else {
                throw FieldRefusal("\(place.latitude), \(place.longitude) is not a valid coordinate")
            }
            return self
        case .list(_, let values): return try Self.checked(list: values, home: home)
        }
    }

    private static func checked(list values: [FieldValue], home: ZoneID?) throws(FieldRefusal) -> FieldValue {
        var elements: [FieldValue] = []
        let hasReals = values.contains { if case .double = $0 { true } else { false } }
        for value in values {
            if hasReals, case .int64(let number) = value {
                elements.append(.double(Double(number)))
            } else {
                elements.append(try value.checked(home: home))
            }
        }
        let type = elements.first?.type.element ?? .string
        guard elements.allSatisfy({ $0.type == .scalar(type) }) else {
            throw FieldRefusal("a list can only have values of one type")
        }
        return .list(type, elements)
    }
}

extension WireContext {
    /// The object for a value of a record in the zone `home`.
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
        case .location(let location): CLLocation(CLLocation.Measurement(location))
        case .list(_, let values): NSArray(array: values.map { object($0, home: home) })
        }
    }
}

extension NSNumber {
    /// Whether the number was created from a floating-point value.
    var isReal: Bool {
        let type = UInt8(bitPattern: objCType.pointee)
        return type == UInt8(ascii: "d") || type == UInt8(ascii: "f")
    }
}

/// The reason why a value cannot be sent. The error message shows it after the field's name.
struct FieldRefusal: Error {
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
