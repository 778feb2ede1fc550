import Foundation
import Records

/// Makes and reads short GUIDs, which identify shares in URLs.
///
/// A short GUID contains the owner's user record name, so that it leads to the owner's database without an
/// index, and 72 random bits, so that nobody can guess it.
enum ShortGUID {
    private static let ownerBytes = 16
    private static let randomBytes = 9

    /// Returns a new short GUID; nil for an owner whose record name is not `_` and 32 hexadecimal digits.
    static func make(owner: String, random: (Int) -> [UInt8]) -> String? {
        guard let owner = bytes(of: owner) else { return nil }
        return Base64URL.encode(owner + random(randomBytes))
    }

    /// Returns the owner in a short GUID; nil if it is cut short or no short GUID.
    static func owner(of text: String) -> String? {
        guard let bytes = Base64URL.decode(text), bytes.count == ownerBytes + randomBytes else { return nil }
        return "_" + bytes.prefix(ownerBytes).hexadecimal
    }

    private static func bytes(of name: String) -> [UInt8]? {
        let digits = Array(name.utf8.dropFirst())
        guard name.utf8.first == UInt8(ascii: "_"), digits.count == 2 * ownerBytes else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

/// The last part of a share's URL: its short GUID, and in a one-time link also the id of the participant. The
/// first person who accepts by the link becomes that participant.
struct ShareLink {
    let text: String
    let shortGUID: String
    /// nil in a link for all invited people.
    let participant: String?

    init(_ text: String) {
        self.text = text
        let parts = text.split(separator: Participant.linkSeparator, maxSplits: 1)
        let participant = parts.count == 2 ? String(parts[1]) : nil
        // The link is appended to the address of the app's page, so other characters lead to no share.
        let isSafe = participant.map { $0.utf8.count <= 255 && $0.utf8.allSatisfy(Self.isSafe) } ?? true
        shortGUID = isSafe ? parts.first.map(String.init) ?? "" : ""
        self.participant = participant
    }

    /// Whether a byte is a letter, a digit, or one of `-._`.
    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
