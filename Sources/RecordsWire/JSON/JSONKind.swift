/// What a value in a document is.
package enum JSONKind: UInt8, Hashable, Sendable {
    case null
    case `false`
    case `true`
    /// A number without fraction and exponent.
    case integer
    /// Any other number.
    case real
    /// A string whose bytes are its text.
    case string
    /// A string that contains escapes.
    case escapedString
    case array
    case object

    package var isString: Bool { self == .string || self == .escapedString }
    package var isNumber: Bool { self == .integer || self == .real }
}
