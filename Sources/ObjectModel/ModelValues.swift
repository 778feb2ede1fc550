public import Foundation
public import Records

// The Swift types of attributes that records hold in another form.

extension UUID: FieldConvertible {
    /// The UUID if the value is a string that spells one; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .string(let text) = value else { return nil }
        self.init(uuidString: text)
    }

    /// The UUID as a string.
    public var fieldValue: FieldValue { .string(uuidString) }
}

extension URL: FieldConvertible {
    /// The address if the value is a string that spells one; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard case .string(let text) = value else { return nil }
        self.init(string: text)
    }

    /// The address as a string.
    public var fieldValue: FieldValue { .string(absoluteString) }
}

extension Decimal: FieldConvertible {
    /// The decimal number with the shortest digits that identify the stored `Double`; nil if the value is no
    /// number.
    public init?(fieldValue value: FieldValue) {
        guard let number = Double(fieldValue: value) else { return nil }
        self.init(string: "\(number)")
    }

    /// The nearest `Double`, which keeps about 15 significant digits.
    public var fieldValue: FieldValue { .double(Double("\(self)") ?? .nan) }
}

extension Float: FieldConvertible {
    /// The nearest `Float` if the value is a number; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard let number = Double(fieldValue: value) else { return nil }
        self.init(number)
    }

    /// The number as a `Double`.
    public var fieldValue: FieldValue { .double(Double(self)) }
}

extension Int32: FieldConvertible {
    /// The number if it is an integer and fits; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard let number = Int64(fieldValue: value) else { return nil }
        self.init(exactly: number)
    }

    /// The number as a field's value.
    public var fieldValue: FieldValue { .int64(Int64(self)) }
}

extension Int16: FieldConvertible {
    /// The number if it is an integer and fits; nil for any other value.
    public init?(fieldValue value: FieldValue) {
        guard let number = Int64(fieldValue: value) else { return nil }
        self.init(exactly: number)
    }

    /// The number as a field's value.
    public var fieldValue: FieldValue { .int64(Int64(self)) }
}
