package import Records

extension StoreLayout {
    /// The record types of all objects, with all fields that their values may need.
    package var schema: Schema {
        var schema = Schema()
        for root in roots { schema.types[MirroredName.type(root)] = type(ofRoot: root) }
        let hasPairs = entities.values.contains { $0.relationships.contains(where: connectsMany) }
        if hasPairs {
            let fields = MirroredName.pairFields.map { ($0, FieldSchema(.string)) }
            schema.types[MirroredName.pairType] = TypeSchema(
                mirrored: MirroredName.pairType, Dictionary(uniqueKeysWithValues: fields))
        }
        return schema
    }

    private func type(ofRoot root: String) -> TypeSchema {
        var fields = [
            MirroredName.entityName: FieldSchema(.string),
            MirroredName.moveReceipt: FieldSchema(.bytes),
            MirroredName.twin("moveReceipt"): FieldSchema(.asset),
        ]
        for (name, attribute) in attributes(ofRoot: root) {
            fields[MirroredName.field(name)] = FieldSchema(
                attribute.kind.scalar, isEncrypted: attribute.isEncrypted)
            if attribute.hasAssetTwin { fields[MirroredName.twin(name)] = FieldSchema(.asset) }
        }
        for name in toOnes(ofRoot: root) { fields[MirroredName.field(name)] = FieldSchema(.string) }
        return TypeSchema(mirrored: MirroredName.type(root), fields)
    }
}

extension TypeSchema {
    /// Only record IDs can be queried among the system fields, as in schemas of mirrored stores.
    fileprivate init(mirrored name: String, _ fields: [String: FieldSchema]) {
        self.init(name: name, fields: fields, systemIndexes: [.recordName: .queryable])
    }
}

extension FieldSchema {
    /// A field of mirrored records. Bytes, assets and encrypted fields have no index.
    fileprivate init(_ type: ScalarType, isEncrypted: Bool = false) {
        let indexes: IndexSet = isEncrypted || type == .bytes ? [] : .automatic(for: .scalar(type))
        self.init(type: .scalar(type), isEncrypted: isEncrypted, indexes: indexes)
    }
}

extension StoreLayout.Kind {
    /// The type of the field.
    fileprivate var scalar: ScalarType {
        switch self {
        case .integer: .int64
        case .double: .double
        case .date: .timestamp
        case .string: .string
        case .bytes: .bytes
        }
    }
}

extension StoreLayout.Attribute {
    /// Whether records have a second field for the attribute, an asset for long values.
    package var hasAssetTwin: Bool { !isTransient && type.hasAssetTwin }
}
