public import Foundation

extension NSKeyedArchiver {
    /// Writes a value under a key, in a JSON format of this module.
    ///
    /// - Throws: The error of the value's `encode(to:)`.
    public func encodeEncodable<T: Encodable>(_ value: T, forKey key: String) throws {
        try Archive.writeThrowing(value, as: key, to: self)
    }
}

extension NSKeyedUnarchiver {
    /// Reads a value that `encodeEncodable(_:forKey:)` wrote; nil for any other data.
    public func decodeDecodable<T: Decodable>(_ type: T.Type, forKey key: String) -> T? {
        Archive.read(type, as: key, from: self)
    }

    /// Reads an archive whose root is an array of objects of one class.
    ///
    /// As with every unarchiver on Linux, an object of another class ends the process: use it for your own
    /// archives only.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` if the root is not such an array.
    public static func unarchivedArrayOfObjects<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, from data: Data
    ) throws -> [DecodedObjectType]? {
        let root = try unarchivedObject(ofClasses: [NSArray.self, cls], from: data)
        guard let array = root as? [DecodedObjectType] else { throw CocoaError(.coderReadCorrupt) }
        return array
    }
}
