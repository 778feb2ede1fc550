// Owns the names that types of fields have on the wire.

import Records

extension ScalarType {
    /// The type tag (sheet 3.1); lists append `_LIST`.
    var wireName: StaticString {
        switch self {
        case .string: "STRING"
        case .int64: "INT64"
        case .double: "DOUBLE"
        case .timestamp: "TIMESTAMP"
        case .bytes: "BYTES"
        case .reference: "REFERENCE"
        case .asset: "ASSETID"
        case .location: "LOCATION"
        }
    }
}

extension FieldType {
    /// The type tag as error texts name it.
    package var wireName: String {
        isList ? "\(element.wireName)_LIST" : "\(element.wireName)"
    }
}
