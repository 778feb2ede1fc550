import Records

/// Decodes field dictionaries.
struct FieldReader {
    /// The record's zone. References to it are stored without a zone.
    var home: ZoneID?

    /// Decodes a field; nil for the forms that clear it: `null`, `{}`, and `{"value":null}`, with or without
    /// a type.
    func field(_ node: JSONNode) throws(RecordError) -> Field? {
        switch node.kind {
        case .null: return nil
        case .object: break
        default: return Field(try inferred(node))
        }
        let parts = FieldParts(node)
        guard let value = parts.value else { return try unwrappedField(node, parts) }
        if value.isNull { return nil }
        let tag: TypeTag? = if let type = parts.type { try TypeTag(type) } else { nil }
        let flag = if let flag = parts.isEncrypted { try flag.bool() } else { tag?.isEncrypted ?? false }
        let read = try self.value(value, tagged: tag)
        if tag?.isEncrypted == true, case .bytes(let bytes) = read { return Field(encryptedBytes: bytes) }
        return Field(read, isEncrypted: flag)
    }

    /// Decodes a value according to its type tag, or without one according to its JSON.
    func value(_ node: JSONNode, tagged tag: TypeTag?) throws(RecordError) -> FieldValue {
        guard let type = tag?.type else {
            guard tag == nil || node.kind == .array else { throw node.invalid(expected: "UNKNOWN_LIST") }
            return try inferred(node)
        }
        return try value(node, as: type)
    }

    /// Decodes a value of a known type.
    func value(_ node: JSONNode, as type: FieldType) throws(RecordError) -> FieldValue {
        guard case .list(let element) = type else { return try scalar(node, as: type.element) }
        guard node.kind == .array else { throw node.invalid(expected: type.name) }
        var values: [FieldValue] = []
        for child in node.elements { values.append(try scalar(child, as: element)) }
        return .list(element, values)
    }

    private func scalar(_ node: JSONNode, as type: ScalarType) throws(RecordError) -> FieldValue {
        switch type {
        case .string: if let text = node.stringValue { return .string(text) }
        case .int64: if let number = node.int64Value { return .int64(number) }
        case .double: if let number = node.doubleValue { return .double(number) }
        case .timestamp:
            if let number = node.int64Value { return .timestamp(Timestamp(milliseconds: number)) }
        case .bytes: if let bytes = node.base64Value { return .bytes(bytes) }
        case .reference:
            if node.kind == .object { return .reference(try Reference(node, home: home)) }
        case .asset: if node.kind == .object { return .asset(try Asset(node)) }
        case .location: if node.kind == .object { return .location(try Location(node)) }
        }
        throw node.invalid(expected: "\(type.name)")
    }

    /// Decodes an object without `value`: a cleared field, or a reference, location or asset that is not
    /// wrapped in a field dictionary.
    private func unwrappedField(_ node: JSONNode, _ parts: FieldParts) throws(RecordError) -> Field? {
        if parts.type != nil || node.members.isEmpty { return nil }
        return Field(try inferred(node))
    }

    private func inferred(_ node: JSONNode) throws(RecordError) -> FieldValue {
        guard node.kind == .array else {
            guard let type = node.inferredType else { throw node.unexpected() }
            return try scalar(node, as: type)
        }
        var element: ScalarType?
        for child in node.elements {
            guard let type = child.inferredType else { throw child.unexpected() }
            element = element == nil || (element == .int64 && type == .double) ? type : element
        }
        return try value(node, as: .list(element ?? .string))
    }
}

extension JSONNode {
    /// The type of a value without a type tag, inferred from its JSON.
    fileprivate var inferredType: ScalarType? {
        switch kind {
        case .string, .escapedString: .string
        case .integer: .int64
        case .real: .double
        case .object where self["latitude"] != nil: .location
        case .object where self["fileChecksum"] != nil || self["receipt"] != nil: .asset
        case .object where self["recordName"] != nil: .reference
        default: nil
        }
    }
}
