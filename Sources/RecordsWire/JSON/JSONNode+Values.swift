package import Records

extension JSONNode {
    /// The string; nil for other kinds.
    package var stringValue: String? {
        switch kind {
        case .string:
            let range = Int(entry.start)..<Int(entry.end)
            return document.bytes.withUnsafeBufferPointer {
                String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
            }
        case .escapedString: return JSONText.unescaped(text)
        default: return nil
        }
    }

    /// The boolean; nil for other kinds.
    package var boolValue: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The integer, exact to 64 bits, of a number or of a string that contains one; nil if it has a fraction
    /// or does not fit.
    package var int64Value: Int64? {
        switch kind {
        case .integer, .string:
            if let value = NumberText.int64(text) { return value }
            guard kind == .string else { return nil }
        case .real: break
        default: return nil
        }
        guard let value = NumberText.double(text), value.magnitude < 9_007_199_254_740_992 else { return nil }
        return Int64(exactly: value)
    }

    /// The finite number, also of a string that contains one; nil for other kinds.
    package var doubleValue: Double? {
        switch kind {
        case .integer, .real, .string: NumberText.double(text)
        default: nil
        }
    }

    /// The decoded bytes of a base64 string; nil for other values.
    package var base64Value: [UInt8]? {
        kind == .string ? Base64.decode(text) : stringValue.flatMap { Base64.decode(Array($0.utf8)[...]) }
    }

    /// The string, or an error that names this node.
    package func string() throws(RecordError) -> String {
        guard let value = stringValue else { throw unexpected() }
        return value
    }

    /// The boolean, or an error that names this node.
    package func bool() throws(RecordError) -> Bool {
        guard let value = boolValue else { throw unexpected() }
        return value
    }

    /// The integer, or an error that names this node.
    package func int() throws(RecordError) -> Int {
        guard let value = int64Value.flatMap({ Int(exactly: $0) }) else { throw unexpected() }
        return value
    }

    /// The finite number, or an error that names this node.
    package func double() throws(RecordError) -> Double {
        guard let value = doubleValue else { throw unexpected() }
        return value
    }

    /// The strings of an array, or an error that names the first other element.
    package func strings() throws(RecordError) -> [String] {
        guard kind == .array else { throw unexpected() }
        var strings: [String] = []
        for element in elements { strings.append(try element.string()) }
        return strings
    }

    /// This node if it is an object, otherwise an error that names it.
    package func object() throws(RecordError) -> JSONNode {
        guard kind == .object else { throw unexpected() }
        return self
    }

    /// The elements of an array, otherwise an error that names this node.
    package func array() throws(RecordError) -> JSONElements {
        guard kind == .array else { throw unexpected() }
        return elements
    }
}
