import Foundation

/// An e-mail address or phone number by which one person can find another.
///
/// A device that looks for people sends only a hash: PBKDF2 with SHA-256 over `text`, with `hashSalt`,
/// `hashRounds` rounds and `hashSize` bytes of output. These numbers must never change, because client and
/// server must agree on them.
package enum ContactAddress: Hashable, Sendable {
    /// An e-mail address in lower case.
    case email(String)
    /// A phone number: `+` and digits.
    case phone(String)

    package static let hashRounds = 10_000
    package static let hashSize = 32
    package static let hashSalt = Array("cloudlet.contact.1".utf8)

    /// Parses an e-mail address and converts it to lower case. Throws `badRequest` if it is not an address.
    package init(email text: String) throws(RecordError) {
        // A longer text is no address, and would take long to examine.
        let address = text.utf8.count > 1016 ? "" : text.trimmingCharacters(in: .whitespaces).lowercased()
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPrintable = address.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: scalar != " "
            }
        }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), address.count <= 254, isPrintable else {
            throw Self.refusal("the value is not an e-mail address", text)
        }
        self = .email(address)
    }

    /// Parses a phone number with country code, and removes spaces, dots, dashes and brackets.
    ///
    /// Throws `badRequest` if it is not a phone number.
    package init(phone text: String) throws(RecordError) {
        // A longer text is no number, and would take long to examine.
        let kept = text.utf8.count > 64 ? "" : text.filter { !" .-()/\u{a0}".contains($0) }
        let digits = kept.dropFirst()
        let isNumber = digits.utf8.allSatisfy { (48...57).contains($0) }
        guard kept.hasPrefix("+"), (4...15).contains(digits.count), isNumber else {
            throw Self.refusal("a phone number is a + and 4 to 15 digits, country code first", text)
        }
        self = .phone(String(kept))
    }

    /// The address or number alone.
    package var value: String {
        switch self {
        case .email(let address), .phone(let address): address
        }
    }

    /// The text that is hashed. Its prefix names the kind, so that an address and a number never have the
    /// same hash.
    package var text: String {
        switch self {
        case .email(let address): "mailto:" + address
        case .phone(let number): "tel:" + number
        }
    }

    /// Reads `text`, without checking the address; nil for another prefix.
    package init?(text: String) {
        if text.hasPrefix("mailto:") {
            self = .email(String(text.dropFirst("mailto:".count)))
        } else if text.hasPrefix("tel:") {
            self = .phone(String(text.dropFirst("tel:".count)))
        } else {
            return nil
        }
    }

    private static func refusal(_ reason: String, _ culprit: String) -> RecordError {
        RecordError(
            .badRequest, reason, culprit: String(culprit.prefix(60)), nextStep: "correct it, or leave it out")
    }
}
