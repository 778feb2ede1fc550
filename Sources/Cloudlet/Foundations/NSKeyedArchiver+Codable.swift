public import Foundation

extension NSKeyedArchiver {
    /// Writes a value under a key; throws what its encoding throws.
    ///
    /// Unlike the objects of an archive, such values are spelled in a format of this module.
    public func encodeEncodable<T: Encodable>(_ value: T, forKey key: String) throws {
        try Archive.writeThrowing(value, as: key, to: self)
    }
}

extension NSKeyedUnarchiver {
    /// Reads a value that `encodeEncodable(_:forKey:)` wrote; nil for anything else.
    public func decodeDecodable<T: Decodable>(_ type: T.Type, forKey key: String) -> T? {
        Archive.read(type, as: key, from: self)
    }

    /// Reads an archive whose root is an array of objects of one class.
    ///
    /// Throws `CocoaError.coderReadCorrupt` when the root is anything else. As with every unarchiver on
    /// Linux, an object of a class that is neither ends the process: keep to archives of one's own.
    public static func unarchivedArrayOfObjects<DecodedObjectType: NSObject & NSCoding>(
        ofClass cls: DecodedObjectType.Type, from data: Data
    ) throws -> [DecodedObjectType]? {
        let root = try unarchivedObject(ofClasses: [NSArray.self, cls], from: data)
        guard let array = root as? [DecodedObjectType] else { throw CocoaError(.coderReadCorrupt) }
        return array
    }
}
