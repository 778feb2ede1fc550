/// The value of a field. The wire, stores, devices and apps all use this type (CloudKit Web Services
/// Reference, *Types and Dictionaries*).
///
/// ```swift
/// note[field: "text"] = "Bring balloons"
/// if case .string(let text)? = note[field: "text"] { show(text) }
/// ```
public enum FieldValue: Hashable, Sendable {
    /// A string.
    case string(String)
    /// A 64-bit signed integer.
    case int64(Int64)
    /// A 64-bit floating-point number. The server accepts only finite ones.
    case double(Double)
    /// A point in time, in whole milliseconds.
    case timestamp(Timestamp)
    /// A small amount of bytes. Use an asset for files.
    case bytes([UInt8])
    /// A reference to another record.
    case reference(Reference)
    /// A file in bulk storage.
    case asset(Asset)
    /// A geographic position.
    case location(Location)
    /// A list of values of one type. The type is stored as well, so that an empty list has a type.
    case list(ScalarType, [FieldValue])

    /// The type of the value.
    public var type: FieldType {
        switch self {
        case .string: .scalar(.string)
        case .int64: .scalar(.int64)
        case .double: .scalar(.double)
        case .timestamp: .scalar(.timestamp)
        case .bytes: .scalar(.bytes)
        case .reference: .scalar(.reference)
        case .asset: .scalar(.asset)
        case .location: .scalar(.location)
        case .list(let element, _): .list(element)
        }
    }

    /// The elements of a list, or the value itself.
    public var elements: [FieldValue] {
        if case .list(_, let values) = self { values } else { [self] }
    }
}

extension FieldValue {
    /// Replaces each reference in the value, single or in a list, by the result of `change`.
    package func mapReferences<Failure: Error>(
        _ change: (Reference) throws(Failure) -> Reference
    ) throws(Failure) -> FieldValue {
        if case .reference(let reference) = self { return .reference(try change(reference)) }
        guard case .list(.reference, let values) = self else { return self }
        var changed: [FieldValue] = []
        for value in values { changed.append(try value.mapReferences(change)) }
        return .list(.reference, changed)
    }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A 64-bit signed integer.
    public init(integerLiteral value: Int64) { self = .int64(value) }
    /// A 64-bit floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

/// A field of a record. An encrypted field is never indexed and cannot be queried.
public struct Field: Hashable, Sendable {
    /// The value.
    public var value: FieldValue
    /// Whether the server stores the value encrypted.
    public var isEncrypted: Bool
    /// Whether the client wrote the value with the type `ENCRYPTED_BYTES`, the protocol's older notation for
    /// encrypted bytes. Answers use the same notation, because apps that write it also expect it.
    package let isEncryptedBytes: Bool

    /// A field with this value.
    public init(_ value: FieldValue, isEncrypted: Bool = false) {
        self.value = value
        self.isEncrypted = isEncrypted
        isEncryptedBytes = false
    }

    /// A field of the type `ENCRYPTED_BYTES`.
    package init(encryptedBytes bytes: [UInt8]) {
        value = .bytes(bytes)
        isEncrypted = true
        isEncryptedBytes = true
    }
}
