@testable import RecordsWire

extension JSONNode {
    /// The same JSON without white space, in the same order and with every token as it is written.
    var compact: String {
        switch kind {
        case .object:
            "{" + members.map { "\($0.key.compact):\($0.value.compact)" }.joined(separator: ",") + "}"
        case .array: "[" + elements.map(\.compact).joined(separator: ",") + "]"
        case .string, .escapedString: "\"" + String(decoding: text, as: UTF8.self) + "\""
        default: String(decoding: text, as: UTF8.self)
        }
    }
}

/// Bytes as text, for readable comparisons.
func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}

/// Parses JSON text.
func node(_ json: String) throws -> JSONNode {
    try JSONDocument(Array(json.utf8)).root
}
