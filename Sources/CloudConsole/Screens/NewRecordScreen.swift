import CloudHTTP
import CloudService
import Records

/// The form for a new public record.
struct NewRecordScreen: Screen {
    static let title = "New record"
    static let role = OperatorRole.developer
    static let actions: [String: OperatorRole] = ["create": .developer]
    static let formBytes = RecordForm.bytes

    private struct View: Sendable {
        var action: String
        var csrfToken: String
        var chooseAction: String
        var recordType: String?
        var typedName: String
        var mayChange = true
        var inputs: [RecordForm.Input]
        /// The range of the fields on the page, such as `61 to 120 of 400`; nil if the page has all of them.
        var range: String?
        var typeLinks: [PageLink]
        var pages: [PageLink]
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let name = request.query["type"] ?? ""
        var view = View(
            action: place.path("new", [("type", name)]), csrfToken: request.csrfToken,
            chooseAction: place.path("new"),
            typedName: request.typed("name"), inputs: [], typeLinks: [], pages: [])
        if let type = schema.types[name] {
            view.recordType = name
            let form = RecordForm(type: type, present: Fields())
            let slice = form.slice(request)
            view.inputs = form.inputs(slice, after: request.refused, place)
            view.range = form.range(of: slice)
        } else {
            let names = schema.types.keys.sorted { $0.precedesInBytes($1) }
            let slice = ListSlice(names, from: request.query["from"], size: 50)
            view.typeLinks = slice.elements.map {
                PageLink(href: place.path("new", [("type", $0)]), label: $0)
            }
            view.pages = slice.links(place.path("new"))
        }
        let heading = view.recordType.map { "New \($0)" } ?? Self.title
        return PageContent(heading: heading, html: try Page.html(Template.newRecord, view))
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let name = request.query["type"] ?? ""
        guard let type = schema.types[name] else {
            throw RecordError(
                .notFound, "there is no such record type", culprit: name, nextStep: "choose a record type")
        }
        let inputs = RecordForm(type: type, present: Fields(), recordName: form.text("name") ?? "")
        var fields = try await request.working(onBytes: form.byteCount) { try inputs.change(form) }.set
        for (field, file) in try await inputs.uploaded(form, request) { fields[field] = file }
        let operation = RecordOperation(
            .create, recordName: form.text("name"), recordType: name, fields: fields)
        guard case .record(let made)? = try await request.apply(operation) else {
            throw RecordError(.internalError, "the record was not made")
        }
        try await request.log("record.create", made.id.name, after: "\(name)\n\(request.auditText(fields))")
        return .redirect(
            to: place.path("record", [("name", made.id.name)]),
            notice: "The record \(made.id.name) was created.")
    }
}
