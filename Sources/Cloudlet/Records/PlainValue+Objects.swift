// Owns the translation between plain values and the objects that apps hold.

import Foundation
internal import Records

extension PlainZoneID {
    init(_ id: CKRecordZoneID) {
        self.init(name: id.zoneName, owner: id.ownerName)
    }
}

extension CKRecordZoneID {
    convenience init(_ plain: PlainZoneID) {
        self.init(zoneName: plain.name, ownerName: plain.owner)
    }
}

extension PlainRecordID {
    init(_ id: CKRecordID) {
        self.init(name: id.recordName, zone: PlainZoneID(id.zoneID))
    }
}

extension CKRecordID {
    convenience init(_ plain: PlainRecordID) {
        self.init(recordName: plain.name, zoneID: CKRecordZoneID(plain.zone))
    }
}

extension PlainReference {
    init(_ reference: CKReference) {
        self.init(target: PlainRecordID(reference.recordID), deletesSelf: reference.action == .deleteSelf)
    }
}

extension CKReference {
    convenience init(_ plain: PlainReference) {
        self.init(recordID: CKRecordID(plain.target), action: plain.deletesSelf ? .deleteSelf : .none)
    }
}

extension PlainAsset {
    init(_ asset: CKAsset) {
        self.init(
            file: asset.fileURL,
            checksum: asset.stored?.fileChecksum,
            size: asset.stored?.size,
            downloadURL: asset.stored?.downloadURL
        )
    }
}

extension CKAsset {
    convenience init(_ plain: PlainAsset) {
        let stored = plain.checksum.map { checksum in
            Asset(fileChecksum: checksum, size: plain.size ?? 0, downloadURL: plain.downloadURL)
        }
        self.init(fileURL: plain.file, stored: stored)
    }
}

extension PlainValue {
    /// The plain form of a stored field value; nil for a value that was refused.
    init?(_ object: any __CKRecordObjCValue) {
        switch object {
        case let string as NSString: self = .string(String(string))
        case let number as NSNumber: self = PlainValue(number)
        case let date as NSDate: self = .date(date as Date)
        case let data as NSData: self = .bytes(Data(referencing: data))
        case let reference as CKReference: self = .reference(PlainReference(reference))
        case let asset as CKAsset: self = .asset(PlainAsset(asset))
        case let location as CLLocation: self = .location(location.plain)
        case let array as NSArray:
            var elements: [PlainValue] = []
            for element in array {
                guard let plain = PlainValue(FieldBox.object(of: element)) else { return nil }
                elements.append(plain)
            }
            self = .list(elements)
        default: return nil
        }
    }

    init(_ number: NSNumber) {
        self = number.isReal ? .real(number.doubleValue) : .integer(number.int64Value)
    }

    /// The object apps see.
    var object: any __CKRecordObjCValue {
        switch self {
        case .string(let value): NSString(string: value)
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .date(let value): value as NSDate
        case .bytes(let value): NSData(data: value)
        case .reference(let value): CKReference(value)
        case .asset(let value): CKAsset(value)
        case .location(let value): CLLocation(value)
        case .list(let values): NSArray(array: values.map(\.object))
        }
    }
}

extension NSNumber {
    /// Whether the number was made from a floating-point value.
    var isReal: Bool {
        let type = UInt8(bitPattern: objCType.pointee)
        return type == UInt8(ascii: "d") || type == UInt8(ascii: "f")
    }
}
