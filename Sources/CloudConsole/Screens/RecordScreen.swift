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
        var action: String
        var csrfToken: String
        var tag: String
        var recordType: String
        var typeHref: String
        var deleteHref: String
        var mayChange: Bool
        var inputs: [RecordForm.Input]
        /// The range of the fields on the page, such as `61 to 120 of 400`; nil if the page has all of them.
        var range: String?
        var pages: [PageLink]
        var system: [SystemRow]
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let (record, type) = try await Self.record(request)
        let ticket = try request.publicTicket()
        let form = RecordForm(
            type: type, present: record.fields, recordName: record.id.name,
            images: try await ImageScreen.images(in: record.fields, request, ticket)
        ) { FileLink.href(ticket($0)) }
        let (name, slice) = (record.id.name, form.slice(request))
        let here = place.path("record", [("name", name)])
        let view = View(
            action: slice.start > 0 ? "\(here)&from=\(slice.start)" : here, csrfToken: request.csrfToken,
            tag: request.refused == nil ? record.changeTag?.text ?? "" : request.typed("tag"),
            recordType: record.type,
            typeHref: place.path("type", [("name", record.type)]),
            deleteHref: place.path("delete", [("name", name)]), mayChange: request.may(.developer),
            inputs: form.inputs(slice, after: request.refused, place), range: form.range(of: slice),
            pages: slice.links(here), system: SystemRow.all(of: record))
        return PageContent(heading: name, html: try Page.html(Template.record, view))
    }

    /// The record that the query names, with its type.
    static func record(_ request: ScreenRequest) async throws -> (Record, TypeSchema) {
        let place = try request.container()
        let name = request.query["name"] ?? ""
        let answer = try await request.service.records.lookup(
            [name], zone: nil, in: .public, by: try request.caller())
        switch answer.results.first {
        case .record(let stored):
            let record = try await request.decoded([stored])[0]
            let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
            return (record, schema.types[record.type] ?? TypeSchema(name: record.type))
        case .failure(_, let error): throw error
        case .deleted, nil:
            throw RecordError(.notFound, "Record not found", culprit: name, nextStep: "query for records")
        }
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        let (record, type) = try await Self.record(request)
        let fields = RecordForm(type: type, present: record.fields, recordName: record.id.name)
        var (set, removed) = try await request.working(onBytes: form.byteCount) { try fields.change(form) }
        for (field, file) in try await fields.uploaded(form, request) { set[field] = file }
        let address = place.path("record", [("name", record.id.name)])
        if set.isEmpty, removed.isEmpty { return .redirect(to: address, notice: "Nothing was changed.") }
        let operation = RecordOperation(
            .update, recordName: record.id.name, recordType: record.type,
            changeTag: ChangeTag(text: try form.required("tag")), fields: set, removedFields: removed)
        _ = try await request.apply(operation)
        try await request.log(
            "record.change", record.id.name,
            before: request.auditText(record.fields.only(set.names + removed)), after: request.auditText(set))
        return .redirect(to: address, notice: "The record was saved.")
    }
}

extension ScreenRequest {
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
