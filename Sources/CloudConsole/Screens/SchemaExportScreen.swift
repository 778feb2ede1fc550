import CloudService
import Records
import RecordsWire

/// The schema as a file.
struct SchemaExportScreen: Screen {
    static let title = "Schema"

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let text = try await request.service.schemas.computing(for: place.container) { schema.text }
        // All characters of a container's name are allowed in the name of a file.
        let name = "\(place.container)-\(place.environment.rawValue).ckdb"
        return PageContent(
            heading: Self.title, html: "",
            file: PageContent.File(
                name: name, contentType: "text/plain; charset=utf-8", bytes: Array(text.utf8)))
    }
}
