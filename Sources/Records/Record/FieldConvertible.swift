public import Foundation

/// A type that a field can hold: text, numbers, `Bool`, `Date`, `Data`, `Reference`, `Asset`, `Location`, and
/// lists of these.
public protocol FieldConvertible {
    /// The value as this type; nil when it is of another.
    init?(fieldValue value: FieldValue)

    /// The value as fields hold it.
    var fieldValue: FieldValue { get }
}

/// A type that an element of a list can have.
public protocol FieldScalar: FieldConvertible {
    /// The type of the element.
    static var scalarType: ScalarType { get }
}

extension String: FieldScalar {
    /// A text.
    public static var scalarType: ScalarType { .string }

    /// The text; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    /// The text as fields hold it.
    public var fieldValue: FieldValue { .string(self) }
}

extension Int64: FieldScalar {
    /// A whole number.
    public static var scalarType: ScalarType { .int64 }

    /// The number if it is whole and fits; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        if case .double(let number) = value {
            self.init(exactly: number)
            return
        }
        guard case .int64(let number) = value else { return nil }
        self = number
    }

    /// The number as fields hold it.
    public var fieldValue: FieldValue { .int64(self) }
}

extension Int: FieldScalar {
    /// A whole number.
    public static var scalarType: ScalarType { .int64 }

    /// The number if it is whole and fits; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard let number = Int64(fieldValue: value) else { return nil }
        self.init(exactly: number)
    }

    /// The number as fields hold it.
    public var fieldValue: FieldValue { .int64(Int64(self)) }
}

extension Double: FieldScalar {
    /// A number.
    public static var scalarType: ScalarType { .double }

    /// The number, whole or not; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        if case .int64(let number) = value {
            self = Double(number)
            return
        }
        guard case .double(let number) = value else { return nil }
        self = number
    }

    /// The number as fields hold it.
    public var fieldValue: FieldValue { .double(self) }
}

extension Bool: FieldScalar {
    /// A whole number, 0 or 1: fields have no type of their own for truth.
    public static var scalarType: ScalarType { .int64 }

    /// False for 0, true for any other whole number; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard let number = Int64(fieldValue: value) else { return nil }
        self = number != 0
    }

    /// 1 for true, 0 for false.
    public var fieldValue: FieldValue { .int64(self ? 1 : 0) }
}

extension Timestamp: FieldScalar {
    /// A moment.
    public static var scalarType: ScalarType { .timestamp }

    /// The moment; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .timestamp(let moment) = value else { return nil }
        self = moment
    }

    /// The moment as fields hold it.
    public var fieldValue: FieldValue { .timestamp(self) }
}

extension Date: FieldScalar {
    /// A moment.
    public static var scalarType: ScalarType { .timestamp }

    /// The moment; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard let moment = Timestamp(fieldValue: value) else { return nil }
        self = moment.date
    }

    /// The moment in whole milliseconds, as fields hold it.
    public var fieldValue: FieldValue { .timestamp(Timestamp(self)) }
}

extension Data: FieldScalar {
    /// Bytes.
    public static var scalarType: ScalarType { .bytes }

    /// The bytes; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .bytes(let bytes) = value else { return nil }
        self.init(bytes)
    }

    /// The bytes as fields hold them.
    public var fieldValue: FieldValue { .bytes(Array(self)) }
}

extension Reference: FieldScalar {
    /// A pointer to a record.
    public static var scalarType: ScalarType { .reference }

    /// The pointer; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .reference(let reference) = value else { return nil }
        self = reference
    }

    /// The pointer as fields hold it.
    public var fieldValue: FieldValue { .reference(self) }
}

extension Asset: FieldScalar {
    /// A file.
    public static var scalarType: ScalarType { .asset }

    /// The description of the file; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .asset(let asset) = value else { return nil }
        self = asset
    }

    /// The description of the file as fields hold it.
    public var fieldValue: FieldValue { .asset(self) }
}

extension Location: FieldScalar {
    /// A place on the globe.
    public static var scalarType: ScalarType { .location }

    /// The place; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .location(let place) = value else { return nil }
        self = place
    }

    /// The place as fields hold it.
    public var fieldValue: FieldValue { .location(self) }
}

extension Array: FieldConvertible where Element: FieldScalar {
    /// The elements of a list; nil for a single value, and when an element is of another type.
    public init?(fieldValue value: FieldValue) {
        guard case .list(_, let values) = value else { return nil }
        var elements: [Element] = []
        for value in values {
            guard let element = Element(fieldValue: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    /// The list as fields hold it.
    public var fieldValue: FieldValue { .list(Element.scalarType, map(\.fieldValue)) }
}
