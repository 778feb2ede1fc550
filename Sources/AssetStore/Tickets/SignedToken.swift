package import Records

/// Values that `ReceiptSigner` turns into text and back. Only the server reads them, so their layout is free
/// to change.
package protocol SignedToken: Hashable, Sendable {
    /// Goes under the signature, so that one kind of token can never be taken for another.
    static var kind: UInt8 { get }

    /// What is thrown for a token that is forged, damaged or too old.
    static var refusal: RecordError { get }

    /// The token is good before this time.
    var expires: Timestamp { get }

    /// Writes all values but `expires`, which the signer writes.
    func write(to writer: inout TokenWriter)

    /// Reads them in the order in which they were written.
    init(from reader: inout TokenReader, expires: Timestamp) throws
}
