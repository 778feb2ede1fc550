package import Foundation
package import Records
import RecordsWire

/// Encodes fields to bytes and decodes them.
package enum FieldCoding {
    private static let codec = FieldJSON()

    package static func bytes(_ fields: Fields) -> Data {
        Data(plainBytes(fields))
    }

    static func plainBytes(_ fields: Fields) -> [UInt8] {
        codec.encode(fields).bytes
    }

    /// Throws a `ReplicaError` with the code `damaged` if the bytes cannot be decoded.
    package static func fields(_ data: Data, of name: String) throws -> Fields {
        do {
            return try codec.decode(FieldBytes(bytes: [UInt8](data)))
        } catch {
            throw ReplicaError(.damaged, name, error.reason, nextStep: ReplicaError.fetchAgain)
        }
    }
}
