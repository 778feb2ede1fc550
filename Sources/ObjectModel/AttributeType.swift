import Foundation
package import Records

extension StoreLayout {
    /// The type of an attribute, with the names of `NSAttributeDescription.AttributeType`.
    public enum AttributeType: String, Hashable, Sendable, CaseIterable {
        /// An integer of 16 bits.
        case integer16
        /// An integer of 32 bits.
        case integer32
        /// An integer of 64 bits.
        case integer64
        /// A decimal number. Stores and records hold it as a `Double`, which has about 15 digits.
        case decimal
        /// A floating-point number.
        case double
        /// A floating-point number of 32 bits.
        case float
        /// A text.
        case string
        /// A truth value: 0 or 1.
        case boolean
        /// A point in time, to the millisecond.
        case date
        /// Binary data.
        case binaryData
        /// A UUID.
        case uuid
        /// A URI, stored as text.
        case uri
        /// A value that the app encodes as binary data.
        case transformable
        /// A value without a type. Only transient attributes can have this type.
        case undefined
        /// The ID of an object. No store holds it, so layouts refuse attributes of this type.
        case objectID
        /// A group of attributes. No store holds it, so layouts refuse attributes of this type.
        case composite
    }

    /// The form in which an attribute's values are stored.
    public enum Kind: String, Hashable, Sendable {
        /// Integers and booleans: `FieldValue.int64`.
        case integer
        /// Floating-point and decimal numbers: `FieldValue.double`.
        case double
        /// Dates: `FieldValue.timestamp`.
        case date
        /// Texts, UUIDs and URIs: `FieldValue.string`.
        case string
        /// Binary data: `FieldValue.bytes`.
        case bytes
    }
}

extension StoreLayout.AttributeType {
    /// The form in which values are stored; nil if no store holds them.
    public var kind: StoreLayout.Kind? {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .double, .float, .decimal: .double
        case .date: .date
        case .string, .uuid, .uri: .string
        case .binaryData, .transformable: .bytes
        case .undefined, .objectID, .composite: nil
        }
    }

    /// Whether a record has a second field for an attribute of this type: an asset that holds long values.
    package var hasAssetTwin: Bool {
        switch self {
        case .string, .binaryData, .transformable: true
        default: false
        }
    }

    /// Whether a value has the form and the range of this type.
    package func accepts(_ value: FieldValue) -> Bool {
        switch (self, value) {
        case (.integer16, .int64(let number)): Int16(exactly: number) != nil
        case (.integer32, .int64(let number)): Int32(exactly: number) != nil
        case (.boolean, .int64(let number)): number == 0 || number == 1
        case (.integer64, .int64), (.string, .string), (.uri, .string), (.date, .timestamp): true
        case (.double, .double(let number)), (.float, .double(let number)), (.decimal, .double(let number)):
            number.isFinite
        case (.uuid, .string(let text)): UUID(uuidString: text) != nil
        case (.binaryData, .bytes), (.transformable, .bytes): true
        default: false
        }
    }
}
