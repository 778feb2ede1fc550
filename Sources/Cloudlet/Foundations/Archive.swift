import Foundation

/// Reads and writes one versioned payload under one key that only its class uses.
///
/// The payload is stored as bytes: JSON in the form `{"version":1,"payload":…}`. It is not stored as an
/// archived object, because the unarchiver on Linux ends the process if an object is missing or has an
/// unexpected class. Damaged bytes can be rejected.
enum Archive {
    /// The version that is written. Every version that was ever released can be read.
    static let version = 1

    /// How to write the numbers that JSON cannot represent.
    static var writtenFloats: JSONEncoder.NonConformingFloatEncodingStrategy {
        .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }

    /// How to read the numbers that JSON cannot represent.
    static var readFloats: JSONDecoder.NonConformingFloatDecodingStrategy {
        .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }

    static func write(_ payload: some Encodable, as key: String, to coder: NSCoder) {
        try? writeThrowing(payload, as: key, to: coder)
    }

    /// Writes a payload.
    ///
    /// - Throws: The error of the payload's `encode(to:)`.
    static func writeThrowing(_ payload: some Encodable, as key: String, to coder: NSCoder) throws {
        guard coder.allowsKeyedCoding else { return }
        write(bytes: [UInt8](try json(of: Envelope(version: version, payload: payload))), as: key, to: coder)
    }

    /// Writes versioned bytes.
    static func write(bytes: [UInt8], as key: String, to coder: NSCoder) {
        guard coder.allowsKeyedCoding else { return }
        bytes.withUnsafeBufferPointer { bytes in
            coder.encodeBytes(bytes.baseAddress, length: bytes.count, forKey: key)
        }
    }

    /// A value as JSON, without a version.
    ///
    /// - Throws: The error of the value's `encode(to:)`.
    static func json(of value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = writtenFloats
        return try encoder.encode(value)
    }

    /// The payload under `key`; nil if it is missing, damaged, or of a version newer than `version`.
    static func read<Payload: Decodable>(
        _ type: Payload.Type, as key: String, from coder: NSCoder
    ) -> Payload? {
        guard coder.allowsKeyedCoding, coder.containsValue(forKey: key) else { return nil }
        let data = coder.withDecodedUnsafeBufferPointer(forKey: key) { bytes in
            bytes.map { Data($0) }
        }
        return data.flatMap { payload(type, in: $0) }
    }

    /// The payload in versioned bytes; nil if they are damaged, or of a version newer than `version`.
    static func payload<Payload: Decodable>(_ type: Payload.Type, in data: Data) -> Payload? {
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
