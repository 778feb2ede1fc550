import Foundation

/// Writes and reads one versioned payload under one key that only its class uses.
///
/// A payload is a block of bytes and not an object, because the unarchiver on Linux ends the process when an
/// object is missing or of an unexpected class, whereas bytes of any shape can be refused.
/// The bytes are JSON: `{"version":1,"payload":…}`.
enum Archive {
    /// The version that is written; every version that was ever written can be read.
    static let version = 1

    /// How numbers are written that JSON has no form for.
    static var writtenFloats: JSONEncoder.NonConformingFloatEncodingStrategy {
        .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }

    /// How they are read.
    static var readFloats: JSONDecoder.NonConformingFloatDecodingStrategy {
        .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }

    static func write(_ payload: some Encodable, as key: String, to coder: NSCoder) {
        try? writeThrowing(payload, as: key, to: coder)
    }

    /// Throws what the payload throws when it cannot be encoded.
    static func writeThrowing(_ payload: some Encodable, as key: String, to coder: NSCoder) throws {
        guard coder.allowsKeyedCoding else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = writtenFloats
        let data = try encoder.encode(Envelope(version: version, payload: payload))
        data.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            coder.encodeBytes(start, length: bytes.count, forKey: key)
        }
    }

    /// The payload under `key`, or nil when it is missing, damaged, or of a version from the future.
    static func read<Payload: Decodable>(
        _ type: Payload.Type, as key: String, from coder: NSCoder
    ) -> Payload? {
        guard coder.allowsKeyedCoding, coder.containsValue(forKey: key) else { return nil }
        let data = coder.withDecodedUnsafeBufferPointer(forKey: key) { bytes in
            bytes.map { Data($0) }
        }
        guard let data else { return nil }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = readFloats
        guard let envelope = try? decoder.decode(Envelope<Payload>.self, from: data),
            (1...version).contains(envelope.version)
        else { return nil }
        return envelope.payload
    }

    fileprivate struct Envelope<Payload> {
        var version: Int
        var payload: Payload
    }
}

extension Archive.Envelope: Encodable where Payload: Encodable {}
extension Archive.Envelope: Decodable where Payload: Decodable {}
