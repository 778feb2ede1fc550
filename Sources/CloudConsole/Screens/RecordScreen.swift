import CloudHTTP
import CloudService
import Records
import RecordsWire

/// One public record: its fields, which can be changed, and its system fields.
struct RecordScreen: Screen {
    static let title = "Record"
    static let actions: [String: OperatorRole] = ["save": .developer]
    static let formBytes = RecordForm.bytes

    private struct View: Sendable {
        struct SystemRow: Sendable {
            var systemName: String
            var systemText: String
        }

        var action: String
        var proof: String
        var tag: String
        var recordType: String
        var typeHref: String
        var deleteHref: String
        var mayChange: Bool
        var inputs: [RecordForm.Input]
        var system: [SystemRow]
    }

    func page(_ visit: Visit) async throws -> PageContent {
        let place = try visit.container()
        let (record, type) = try await Self.record(visit)
        let form = RecordForm(type: type, present: record.fields)
        let name = record.id.name
        let view = View(
            action: place.path("record", [("name", name)]), proof: visit.proof,
            tag: visit.refused == nil ? record.changeTag?.text ?? "" : visit.typed("tag"),
            recordType: record.type,
            typeHref: place.path("type", [("name", record.type)]),
            deleteHref: place.path("delete", [("name", name)]), mayChange: visit.may(.developer),
            inputs: form.inputs(after: visit.refused, place), system: Self.system(record))
        return PageContent(heading: name, html: try Page.html(Template.record, view))
    }

    /// The record that the query names, with its type.
    static func record(_ visit: Visit) async throws -> (Record, TypeSchema) {
        let place = try visit.container()
        let name = visit.query["name"] ?? ""
        let answer = try await visit.service.records.lookup(
            [name], zone: nil, in: .public, by: try visit.caller())
        switch answer.results.first {
        case .record(let stored):
            let record = try stored.decoded(by: FieldJSON())
            let schema = try await visit.service.schemas.schema(of: place.container, in: place.environment)
            return (record, schema.types[record.type] ?? TypeSchema(name: record.type))
        case .failure(_, let error): throw error
        case .deleted, nil:
            throw RecordError(.notFound, "Record not found", culprit: name, nextStep: "query for records")
        }
    }

    private static func system(_ record: Record) -> [View.SystemRow] {
        let stamps = [("Created", record.created), ("Changed", record.modified)]
        var rows = stamps.compactMap { name, stamp in
            stamp.map {
                View.SystemRow(systemName: name, systemText: "\(ValueText.text(of: $0.at)) by \($0.by)")
            }
        }
        if let tag = record.changeTag {
            rows.append(View.SystemRow(systemName: "Change tag", systemText: tag.text))
        }
        if let parent = record.parent {
            rows.append(View.SystemRow(systemName: "Parent", systemText: parent))
        }
        return rows
    }

    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome {
        let place = try visit.container()
        let (record, type) = try await Self.record(visit)
        let (set, removed) = try RecordForm(type: type, present: record.fields).change(form)
        let address = place.path("record", [("name", record.id.name)])
        if set.isEmpty, removed.isEmpty { return .leads(to: address, notice: "Nothing was changed.") }
        let operation = RecordOperation(
            .update, recordName: record.id.name, recordType: record.type,
            changeTag: ChangeTag(text: try form.required("tag")), fields: set, removedFields: removed)
        _ = try await visit.apply(operation)
        try await visit.log(
            "record.change", record.id.name, before: record.fields.only(set.names + removed).auditText,
            after: set.auditText)
        return .leads(to: address, notice: "The record was saved.")
    }
}

extension Visit {
    /// Applies an operation to a public record. Throws the error of the operation.
    func apply(_ operation: RecordOperation) async throws -> ItemResult? {
        let answer = try await service.records.modify(
            ModifyRequest([operation]), in: .public, by: try caller()
        ) { _ throws(RecordError) in }
        if case .failure(_, var error)? = answer.results.first {
            error.serverRecord = nil
            throw error
        }
        return answer.results.first
    }
}
