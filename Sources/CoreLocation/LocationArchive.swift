import Foundation

/// Reads and writes one versioned payload under one key that only its class uses. The format is that of
/// record archives: JSON such as `{"version":1,"payload":…}`, stored as bytes.
///
/// It repeats code of `Archive` in Cloudlet, because this module must not depend on another one: every
/// package can import it.
enum LocationArchive {
    private static let version = 1

    private struct Envelope<Payload: Codable>: Codable {
        var version: Int
        var payload: Payload
    }

    static func write(_ payload: some Codable, as key: String, to coder: NSCoder) {
        guard coder.allowsKeyedCoding else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard let data = try? encoder.encode(Envelope(version: version, payload: payload)) else { return }
        data.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            coder.encodeBytes(start, length: bytes.count, forKey: key)
        }
    }

    /// The payload under `key`; nil if it is missing, damaged, or of a version newer than `version`.
    static func read<Payload: Codable>(
        _ type: Payload.Type, as key: String, from coder: NSCoder
    ) -> Payload? {
        guard coder.allowsKeyedCoding, coder.containsValue(forKey: key) else { return nil }
        let data = coder.withDecodedUnsafeBufferPointer(forKey: key) { bytes in
            bytes.map { Data($0) }
        }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard let data, let envelope = try? decoder.decode(Envelope<Payload>.self, from: data),
            (1...version).contains(envelope.version)
        else { return nil }
        return envelope.payload
    }
}
