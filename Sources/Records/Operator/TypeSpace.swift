/// A number of bytes or records.
package struct SpaceFigure: Hashable, Sendable {
    package var value: Int64
    /// Whether the value was computed from a part of the data.
    package var isEstimate: Bool

    package init(_ value: Int64, isEstimate: Bool = false) {
        self.value = value
        self.isEstimate = isEstimate
    }

    package static func + (a: SpaceFigure, b: SpaceFigure) -> SpaceFigure {
        SpaceFigure(a.value.addingSaturated(b.value), isEstimate: a.isEstimate || b.isEstimate)
    }
}

/// What an index of a record type takes up. Indexes that use the same entries are one of these.
package struct IndexSpace: Hashable, Sendable {
    /// The field, or the `rawValue` of the system field; nil for the words of all searchable fields of the
    /// type together.
    package var field: String?
    package var indexes: IndexSet
    package var bytes: SpaceFigure

    package init(field: String?, indexes: IndexSet, bytes: SpaceFigure) {
        self.field = field
        self.indexes = indexes
        self.bytes = bytes
    }
}

/// What the records of one type take up in a database, counted as quotas count them, and what their
/// indexes take up in addition.
package struct TypeSpace: Hashable, Sendable {
    package var records: SpaceFigure
    package var recordBytes: SpaceFigure
    package var assetBytes: SpaceFigure
    /// nil if they are too many to be measured.
    package var indexes: [IndexSpace]?

    package init(
        records: SpaceFigure = SpaceFigure(0), recordBytes: SpaceFigure = SpaceFigure(0),
        assetBytes: SpaceFigure = SpaceFigure(0), indexes: [IndexSpace]? = []
    ) {
        self.records = records
        self.recordBytes = recordBytes
        self.assetBytes = assetBytes
        self.indexes = indexes
    }

    /// The bytes that count against a quota: records and files, without indexes.
    package var countedBytes: SpaceFigure { recordBytes + assetBytes }

    /// The bytes of all indexes; nil if they are not known.
    package var indexBytes: SpaceFigure? { indexes?.reduce(SpaceFigure(0)) { $0 + $1.bytes } }

    /// The bytes of the entries that one field has alone; nil if they are not known. The words of a
    /// searchable field are not among them.
    package func indexBytes(of field: String) -> SpaceFigure? {
        let name = SystemField(indexed: field)?.rawValue ?? field
        return indexes?.filter { $0.field == name }.reduce(SpaceFigure(0)) { $0 + $1.bytes }
    }

    /// The bytes of the words of all searchable fields; nil if there are none or they are not known.
    package var wordBytes: SpaceFigure? { indexes?.first { $0.field == nil }?.bytes }

    /// The bytes that become free when a field loses all indexes but some; nil if that is not known, as for
    /// the words of one of several fields.
    ///
    /// - Parameter type: the schema before the change.
    package func freed(keeping kept: IndexSet, of field: String, in type: TypeSchema) -> SpaceFigure? {
        if indexes == nil { return nil }
        let lost = type.allIndexes(of: field).subtracting(kept)
        let ordered: IndexSet = [.queryable, .sortable]
        var freed = SpaceFigure(0)
        if !lost.isDisjoint(with: ordered), kept.isDisjoint(with: ordered) {
            freed = indexBytes(of: field) ?? freed
        }
        if lost.contains(.searchable), let words = wordBytes {
            let others = type.fields.filter { $0.key != field && $0.value.indexes.contains(.searchable) }
            if !others.isEmpty { return nil }
            freed = freed + words
        }
        return freed
    }
}

extension TypeSchema {
    /// The indexes of a field or system field by its name; empty for an unknown one.
    package func allIndexes(of field: String) -> IndexSet {
        if let system = SystemField(indexed: field) { return indexes(of: system) }
        return fields[field]?.indexes ?? []
    }
}

extension SystemField {
    /// The system field of this name, if its indexes are in schemas.
    fileprivate init?(indexed name: String) {
        guard let field = SystemField(spelling: name), Self.inSchemas.contains(field) else { return nil }
        self = field
    }
}
