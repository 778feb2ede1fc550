public import Foundation

/// A Swift type that a field can hold: strings, numbers, `Bool`, `Date`, `Data`, `Reference`, `Asset`,
/// `Location`, and arrays of these.
public protocol FieldConvertible {
    /// Converts a field's value; nil if it has another type.
    init?(fieldValue value: FieldValue)

    /// The value in the form that fields hold.
    var fieldValue: FieldValue { get }
}

/// A Swift type that can be an element of a list field.
public protocol FieldScalar: FieldConvertible {
    /// The field type of one element.
    static var scalarType: ScalarType { get }
}

extension String: FieldScalar {
    /// `string`.
    public static var scalarType: ScalarType { .string }

    /// The string; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    /// The string as a field's value.
    public var fieldValue: FieldValue { .string(self) }
}

extension Int64: FieldScalar {
    /// `int64`.
    public static var scalarType: ScalarType { .int64 }

    /// The number if it is an integer and fits; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        if case .double(let number) = value {
            self.init(exactly: number)
            return
        }
        guard case .int64(let number) = value else { return nil }
        self = number
    }

    /// The number as a field's value.
    public var fieldValue: FieldValue { .int64(self) }
}

extension Int: FieldScalar {
    /// `int64`.
    public static var scalarType: ScalarType { .int64 }

    /// The number if it is an integer and fits; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard let number = Int64(fieldValue: value) else { return nil }
        self.init(exactly: number)
    }

    /// The number as a field's value.
    public var fieldValue: FieldValue { .int64(Int64(self)) }
}

extension Double: FieldScalar {
    /// `double`.
    public static var scalarType: ScalarType { .double }

    /// The number, also from an integer; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        if case .int64(let number) = value {
            self = Double(number)
            return
        }
        guard case .double(let number) = value else { return nil }
        self = number
    }

    /// The number as a field's value.
    public var fieldValue: FieldValue { .double(self) }
}

extension Bool: FieldScalar {
    /// `int64`, with 0 or 1, because fields have no boolean type.
    public static var scalarType: ScalarType { .int64 }

    /// `false` for 0, `true` for any other integer; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard let number = Int64(fieldValue: value) else { return nil }
        self = number != 0
    }

    /// 1 for `true`, 0 for `false`.
    public var fieldValue: FieldValue { .int64(self ? 1 : 0) }
}

extension Timestamp: FieldScalar {
    /// `timestamp`.
    public static var scalarType: ScalarType { .timestamp }

    /// The point in time; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .timestamp(let moment) = value else { return nil }
        self = moment
    }

    /// The point in time as a field's value.
    public var fieldValue: FieldValue { .timestamp(self) }
}

extension Date: FieldScalar {
    /// `timestamp`.
    public static var scalarType: ScalarType { .timestamp }

    /// The point in time; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard let moment = Timestamp(fieldValue: value) else { return nil }
        self = moment.date
    }

    /// The date as a field's value, rounded to milliseconds.
    public var fieldValue: FieldValue { .timestamp(Timestamp(self)) }
}

extension Data: FieldScalar {
    /// `bytes`.
    public static var scalarType: ScalarType { .bytes }

    /// The bytes; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .bytes(let bytes) = value else { return nil }
        self.init(bytes)
    }

    /// The bytes as a field's value.
    public var fieldValue: FieldValue { .bytes(Array(self)) }
}

extension Reference: FieldScalar {
    /// `reference`.
    public static var scalarType: ScalarType { .reference }

    /// The reference; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .reference(let reference) = value else { return nil }
        self = reference
    }

    /// The reference as a field's value.
    public var fieldValue: FieldValue { .reference(self) }
}

extension Asset: FieldScalar {
    /// `asset`.
    public static var scalarType: ScalarType { .asset }

    /// The asset; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .asset(let asset) = value else { return nil }
        self = asset
    }

    /// The asset as a field's value.
    public var fieldValue: FieldValue { .asset(self) }
}

extension Location: FieldScalar {
    /// `location`.
    public static var scalarType: ScalarType { .location }

    /// The location; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .location(let place) = value else { return nil }
        self = place
    }

    /// The location as a field's value.
    public var fieldValue: FieldValue { .location(self) }
}

extension Array: FieldConvertible where Element: FieldScalar {
    /// The elements of a list; nil for a single value, and if an element has another type.
    public init?(fieldValue value: FieldValue) {
        guard case .list(_, let values) = value else { return nil }
        var elements: [Element] = []
        for value in values {
            guard let element = Element(fieldValue: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    /// The list as a field's value.
    public var fieldValue: FieldValue { .list(Element.scalarType, map(\.fieldValue)) }
}
