import RecordStore
import Records
import RecordsWire

extension ItemResult {
    /// `name` for a saved record, `-name` for a deletion, `name: code` for an error.
    var brief: String {
        switch self {
        case .record(let record): record.id.name
        case .deleted(let id): "-\(id.name)"
        case .failure(let id, let error): "\(id.name): \(error.code.rawValue)"
        }
    }

    var error: RecordError? {
        if case .failure(_, let error) = self { error } else { nil }
    }

    var record: StoredRecord? {
        if case .record(let record) = self { record } else { nil }
    }
}

extension Change {
    /// The complete change in one line.
    func line() throws -> String {
        switch self {
        case .deleted(let id, let type, let sequence): return "\(sequence) -\(id.name) \(type)"
        case .saved(let record):
            let fields = try FieldJSON().decode(record.fields)
            let values = fields.map { "\($0)=\($1.value)" }.joined(separator: ",")
            return "\(record.sequence) \(record.id.name) \(record.type) [\(values)] "
                + "created \(record.created.at.milliseconds) \(record.created.by) "
                + "modified \(record.modified.at.milliseconds) \(record.modified.by) "
                + "parent \(record.parent ?? "-")"
        }
    }

    /// `name` for a saved record, `-name` for a deletion.
    var brief: String {
        switch self {
        case .saved(let record): record.id.name
        case .deleted(let id, _, _): "-\(id.name)"
        }
    }
}

extension Schema {
    /// Adds the new types and fields of an operation, with the automatic indexes of development.
    mutating func grow(by operation: RecordOperation) {
        guard let name = operation.recordType, !operation.kind.isDelete else { return }
        var type = types[name] ?? TypeSchema(name: name)
        for (field, value) in operation.fields where type.fields[field] == nil {
            type.fields[field] = FieldSchema(
                type: value.value.type, isEncrypted: value.isEncrypted,
                indexes: value.isEncrypted ? [] : .automatic(for: value.value.type)
            )
        }
        types[name] = type
    }
}

// MARK: - Values

func text(_ text: String) -> Field { Field(.string(text)) }
func number(_ number: Int64) -> Field { Field(.int64(number)) }
func real(_ real: Double) -> Field { Field(.double(real)) }
func time(_ milliseconds: Int64) -> Field { Field(.timestamp(Timestamp(milliseconds: milliseconds))) }
func bytes(_ bytes: [UInt8]) -> Field { Field(.bytes(bytes)) }
func texts(_ texts: String...) -> Field { Field(.list(.string, texts.map(FieldValue.string))) }
func numbers(_ numbers: Int64...) -> Field { Field(.list(.int64, numbers.map(FieldValue.int64))) }
func place(_ latitude: Double, _ longitude: Double) -> Field {
    Field(.location(Location(latitude: latitude, longitude: longitude)))
}
func link(_ name: String, _ action: Reference.Action = .none, zone: String? = nil) -> Field {
    Field(.reference(Reference(recordName: name, zone: zone.map { ZoneID(name: $0) }, action: action)))
}
func links(_ names: String..., action: Reference.Action = .none) -> Field {
    Field(.list(.reference, names.map { .reference(Reference(recordName: $0, action: action)) }))
}
func file(_ checksum: String) -> Field { Field(.asset(Asset(fileChecksum: checksum, size: 5))) }

// MARK: - Operations

func create(
    _ name: String, type: String = "Party", _ fields: Fields = [:], parent: String? = nil
) -> RecordOperation {
    RecordOperation(
        .create, recordName: name, recordType: type, fields: fields,
        parent: parent.map(RecordOperation.ParentChange.set) ?? .keep
    )
}

func update(
    _ record: StoredRecord, _ fields: Fields = [:], removing removed: [String] = [],
    kind: RecordOperation.Kind = .update, parent: RecordOperation.ParentChange = .keep
) -> RecordOperation {
    RecordOperation(
        kind, recordName: record.id.name, recordType: record.type, changeTag: record.changeTag,
        fields: fields,
        removedFields: removed, parent: parent
    )
}

func delete(_ name: String, tag: ChangeTag? = nil) -> RecordOperation {
    RecordOperation(.delete, recordName: name, changeTag: tag)
}

func forceDelete(_ name: String) -> RecordOperation {
    RecordOperation(.forceDelete, recordName: name)
}

// MARK: - Conditions

func field(_ name: String, _ comparator: Comparator, _ value: Field, within distance: Double? = nil) -> Filter
{
    Filter(.field(name), comparator, value.value, distance: distance)
}

func system(_ field: SystemField, _ comparator: Comparator, _ value: Field) -> Filter {
    Filter(.system(field), comparator, value.value)
}

func ascending(_ name: String) -> Sort { Sort(.field(name)) }
func descending(_ name: String) -> Sort { Sort(.field(name), ascending: false) }
