import Foundation

/// Something by which a person can be found outside of an app.
///
/// Only its hash leaves a device that looks for people: PBKDF2 over SHA-256 of `text`
/// with `hashSalt`, in `hashRounds` rounds, 32 bytes. Server and client must agree on each of these for ever.
package enum ContactAddress: Hashable, Sendable {
    /// In lower case.
    case email(String)
    /// `+` and digits.
    case phone(String)

    package static let hashRounds = 10_000
    package static let hashSize = 32
    package static let hashSalt = Array("cloudlet.contact.1".utf8)

    /// Reads an e-mail address in any case. Throws `badRequest` for what is none.
    package init(email text: String) throws(RecordError) {
        let address = text.trimmingCharacters(in: .whitespaces).lowercased()
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPrintable = address.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), address.count <= 254, isPrintable else {
            throw Self.refusal("this is no e-mail address", text)
        }
        self = .email(address)
    }

    /// Reads a phone number with its country; spaces, dots, dashes and brackets are dropped.
    ///
    /// Throws `badRequest` for what is none.
    package init(phone text: String) throws(RecordError) {
        let kept = text.filter { !" .-()/\u{a0}".contains($0) }
        let digits = kept.dropFirst()
        let isNumber = digits.utf8.allSatisfy { (48...57).contains($0) }
        guard kept.hasPrefix("+"), (4...15).contains(digits.count), isNumber else {
            throw Self.refusal("a phone number is + with its country and 4 to 15 digits in all", text)
        }
        self = .phone(String(kept))
    }

    /// The address or number alone.
    package var value: String {
        switch self {
        case .email(let address), .phone(let address): address
        }
    }

    /// What is hashed: the kind goes before the value, so that no address has the hash of a number.
    package var text: String {
        switch self {
        case .email(let address): "mailto:" + address
        case .phone(let number): "tel:" + number
        }
    }

    private static func refusal(_ reason: String, _ culprit: String) -> RecordError {
        RecordError(
            .badRequest, reason, culprit: String(culprit.prefix(60)), nextStep: "correct it, or leave it out")
    }
}
