/// The kind of a JSON value.
package enum JSONKind: UInt8, Hashable, Sendable {
    case null
    case `false`
    case `true`
    /// A number without fraction or exponent.
    case integer
    /// Any other number.
    case real
    /// A string without escapes.
    case string
    /// A string with escapes.
    case escapedString
    case array
    case object

    package var isString: Bool { self == .string || self == .escapedString }
    package var isNumber: Bool { self == .integer || self == .real }
}
