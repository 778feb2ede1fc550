import CloudHTTP
import CloudService
import Records

/// The indexes of one field: what they take up in the public database, and what dropping each of them frees.
struct IndexesScreen: Screen {
    static let title = "Indexes"

    private struct View: Sendable {
        struct Row: Sendable {
            var id: String
            var index: String
            var frees: String
            /// The indexes of the field, as the form of the type's page sends them.
            var present: [String]
            /// The indexes that stay.
            var kept: [String]
        }

        var type: String
        var field: String
        var typeHref: String
        var size: String
        /// The size of the words of all searchable fields; nil for a field that is not searchable.
        var wordSize: String?
        var rows: [Row]
        var mayDrop: Bool
        var csrfToken: String
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let (typeName, field) = (request.query["type"] ?? "", request.query["field"] ?? "")
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let isSystem = SystemField.inSchemas.contains { $0.wireName == field }
        guard let type = schema.types[typeName], isSystem || type.fields[field] != nil else {
            throw RecordError(
                .notFound, "there is no such field", culprit: field, nextStep: "choose a record type")
        }
        let spaces = try await request.service.containers.publicSpace(
            ofTypes: [typeName], in: place.container, place.environment)
        let space = spaces.map { $0[typeName] ?? TypeSpace() }
        let present = type.allIndexes(of: field)
        let names = TypeView.indexNames.filter { present.contains($0.1) }
        let view = View(
            type: typeName, field: field, typeHref: place.path("type", [("name", typeName)]),
            size: space?.indexBytes(of: field)?.bytesText ?? SpaceFigure.unknown,
            wordSize: present.contains(.searchable) ? space?.wordBytes?.bytesText : nil,
            rows: names.map { name, index in
                let kept = present.subtracting(index)
                return View.Row(
                    id: "drop-\(name)", index: name,
                    frees: Self.words(space, keeping: kept, of: field, in: type),
                    present: names.map(\.0), kept: names.map(\.0).filter { $0 != name })
            },
            mayDrop: place.isDevelopment && request.may(.developer), csrfToken: request.csrfToken)
        return PageContent(
            heading: "Indexes of \(field)", html: try Page.html(Template.indexes, view))
    }

    /// What a field frees that keeps only some of its indexes.
    private static func words(
        _ space: TypeSpace?, keeping kept: IndexSet, of field: String, in type: TypeSchema
    ) -> String {
        guard let space else { return "not known: the server's store does not measure its indexes" }
        guard let freed = space.freed(keeping: kept, of: field, in: type) else {
            guard let words = space.wordBytes else { return "not known: there are too many indexes" }
            return "a part of the \(words.bytesText) that the words of all searchable fields take up"
        }
        if freed.value > 0 { return freed.bytesText }
        return kept.isEmpty ? "nothing: it has no entries of its own" : "nothing: the others use its entries"
    }
}
