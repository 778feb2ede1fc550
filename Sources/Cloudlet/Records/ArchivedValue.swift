internal import CoreLocation
import Foundation
internal import Records

/// The archived form of a field's value, also used inside encrypted values. It includes data that the server
/// does not store, such as the path of a file that has not been uploaded.
struct ArchivedValue: Codable {
    let object: any __CKRecordObjCValue

    /// Creates the archived form; nil for a value that a record cannot store.
    init?(_ object: any __CKRecordObjCValue) {
        guard FieldValue(object) != nil else { return nil }
        self.object = object
    }

    /// One letter per type keeps archives small and independent of the names in the code.
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

    /// The archived form of an asset: a file on this device, a file on the server, or both.
    struct File: Codable {
        var file: URL?
        var checksum: String?
        var size: Int64?
        var downloadURL: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys) throws -> Value {
            try container.decode(Value.self, forKey: key)
        }
        switch container.allKeys.first {
        case .string: object = NSString(string: try read(.string))
        case .integer: object = NSNumber(value: try read(.integer) as Int64)
        case .real: object = NSNumber(value: try read(.real) as Double)
        case .date: object = try read(.date) as Date as NSDate
        case .bytes: object = NSData(data: try read(.bytes))
        case .reference: object = CKReference(try read(.reference) as Reference)
        case .asset: object = CKAsset(try read(.asset) as File)
        case .location: object = CLLocation(try read(.location) as CLLocation.Measurement)
        case .list: object = NSArray(array: (try read(.list) as [ArchivedValue]).map(\.object))
        case nil:
            let context = DecodingError.Context(
                codingPath: container.codingPath, debugDescription: "no value")
            throw DecodingError.dataCorrupted(context)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch object {
        case let string as NSString: try container.encode(String(string), forKey: .string)
        case let number as NSNumber where number.isReal:
            try container.encode(number.doubleValue, forKey: .real)
        case let number as NSNumber: try container.encode(number.int64Value, forKey: .integer)
        case let date as NSDate: try container.encode(date as Date, forKey: .date)
        case let data as NSData: try container.encode(Data(referencing: data), forKey: .bytes)
        case let reference as CKReference: try container.encode(Reference(reference), forKey: .reference)
        case let asset as CKAsset: try container.encode(File(asset), forKey: .asset)
        case let location as CLLocation: try container.encode(location.measured, forKey: .location)
        case let array as NSArray:
            let elements = array.compactMap { ArchivedValue(FieldBox.object(of: $0)) }
            try container.encode(elements, forKey: .list)
        default:
            let context = EncodingError.Context(
                codingPath: container.codingPath, debugDescription: "no value of a field")
            throw EncodingError.invalidValue(object, context)
        }
    }
}

extension ArchivedValue.File {
    init(_ asset: CKAsset) {
        self.init(
            file: asset.fileURL, checksum: asset.stored?.fileChecksum, size: asset.stored?.size,
            downloadURL: asset.stored?.downloadURL)
    }

    /// The server's description of the file; nil if the server does not have it.
    var stored: Asset? {
        checksum.map { Asset(fileChecksum: $0, size: size ?? 0, downloadURL: downloadURL) }
    }
}

extension CKAsset {
    fileprivate convenience init(_ file: ArchivedValue.File) {
        self.init(fileURL: file.file, stored: file.stored)
    }
}
