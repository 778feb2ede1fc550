package import Records

/// A value that `TicketSigner` encodes and decodes. Only the server reads it, so its layout can change.
package protocol SignedToken: Hashable, Sendable {
    /// The kind of token. It is part of the signed bytes, so that one kind cannot pass for another.
    static var kind: UInt8 { get }

    /// The error for a forged, damaged or expired token.
    static var refusal: RecordError { get }

    /// The time at which the token becomes invalid.
    var expires: Timestamp { get }

    /// Writes all values except `expires`, which the signer writes.
    func write(to writer: inout TokenWriter)

    /// Reads the values in the order of `write(to:)`.
    init(from reader: inout TokenReader, expires: Timestamp) throws
}
