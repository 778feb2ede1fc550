/// The name of an editing site: one installation of an app on one device.
///
/// A contribution is identified by its site and a number that the site assigns in ascending order. Two
/// installations must never use the same name. An installation that has lost its data must use a new name,
/// because it would otherwise assign used numbers to other contributions.
public struct TextSite: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name: 1 to 64 bytes of ASCII letters, digits, `-`, `_`, `.` and `:`.
    public let name: String

    /// Throws ``TextError/site(_:)`` if the name is empty, too long or has other characters.
    public init(_ name: String) throws {
        let isKnown = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard isKnown, 1...TextLimits.siteBytes ~= name.utf8.count else {
            throw TextError.site(String(name.prefix(TextLimits.siteBytes)))
        }
        self.name = name
    }

    /// Compares names by their bytes, so that the order is the same on every device.
    public static func < (left: TextSite, right: TextSite) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }

    /// The name.
    public var description: String { name }
}
