import CloudHTTP
import CloudService
import Crypto
import Records
import RecordsWire

/// The schema as text, and the import of another.
struct SchemaScreen: Screen {
    static let title = "Schema"
    static let actions: [String: OperatorRole] = ["check": .developer, "import": .developer]
    static let unlogged: Set<String> = ["check"]
    // In a form, percent-encoding makes three bytes of some characters.
    static let formBytes = 3 * importBytes

    private struct View: Sendable {
        var action: String
        var csrfToken: String
        var exportHref: String
        var schemaText: String
        var isCut: Bool
        var mayImport: Bool
        var typedText: String
        var changes: [String]
        /// The fingerprint of the changes that the page shows.
        var fingerprint: String
        var hasChecked: Bool
        var isUnchanged: Bool
        /// What dropping indexes frees; nil if none is dropped.
        var freed: String?
    }

    /// The maximum number of bytes of the schema, and of an import, that the page shows.
    private static let shownBytes = 30_000

    /// The maximum number of bytes of a schema that is imported here. A schema with the maximum number of
    /// fields is shorter.
    private static let importBytes = 1_048_576

    func page(_ request: ScreenRequest) async throws -> PageContent {
        try await content(request, typed: request.refused?["text"] ?? "", change: nil)
    }

    private func content(
        _ request: ScreenRequest, typed: String, change: SchemaComparison?
    ) async throws -> PageContent {
        let place = try request.container()
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        var budget = PageTextBudget(bytes: 80_000)
        let (typedText, isTooLong) = budget.take(typed, bytes: Self.shownBytes)
        let (whole, lines) = try await request.service.schemas.computing(for: place.container) {
            (schema.text, DifferenceLines(change))
        }
        let (text, isCut) = budget.take(whole, bytes: Self.shownBytes)
        let view = View(
            action: place.path("schema"), csrfToken: request.csrfToken, exportHref: place.path("schema.ckdb"),
            schemaText: text, isCut: isCut,
            mayImport: place.isDevelopment && request.may(.developer), typedText: isTooLong ? "" : typedText,
            changes: lines.shown, fingerprint: lines.fingerprint, hasChecked: change != nil,
            isUnchanged: change != nil && lines.all.isEmpty,
            freed: try await change.map(DroppedIndexes.init)?.review(request, place.environment))
        return PageContent(heading: Self.title, html: try Page.html(Template.schema, view))
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        try place.environment.checkDevelopment()
        let text = try form.required("text")
        guard text.utf8.count <= Self.importBytes else {
            throw RecordError(
                .limitExceeded, "a schema that is imported here has at most \(Self.importBytes) bytes",
                culprit: "text", nextStep: "import it from a file: cloudlet schema import")
        }
        let source = try await request.working(onBytes: text.utf8.count) {
            try SchemaSource(text: Array(text.utf8))
        }
        if action == "check" {
            let change = try await request.service.schemas.checkSchema(source, for: place.container)
            return .page(try await content(request, typed: text, change: change))
        }
        let reviewed = form["reviewed"]
        let change = try await request.service.schemas.importSchema(source, into: place.container) { change in
            if DifferenceLines(change).fingerprint == reviewed { return }
            throw RecordError(
                .conflict,
                reviewed == nil
                    ? "the changes of the import were not reviewed"
                    : "the import would change something else than was reviewed",
                culprit: place.container, nextStep: "review the changes, then import them")
        }
        let lines = try await request.service.schemas.computing(for: place.container) {
            DifferenceLines(change)
        }
        try await request.log("schema.import", place.container, after: lines.all.joined(separator: "\n"))
        return .redirect(
            to: place.path("schema"),
            notice: "The schema was imported: \(lines.all.count) changes."
                + TypeChange.freedText(change.freedBytes))
    }
}

/// The differences of two schemas as lines.
struct DifferenceLines: Sendable {
    let all: [String]

    init(_ change: SchemaComparison?) {
        all = change.map { change in change.differences.map { change.text(of: $0) } } ?? []
    }

    /// The first lines, as many as a page shows, and a line with the number of further ones.
    var shown: [String] {
        var budget = PageTextBudget(bytes: 20_000)
        let lines = all.prefix(100).map { budget.shortened($0, bytes: 300) }
        return all.count > lines.count ? lines + ["… and \(all.count - lines.count) more"] : lines
    }

    /// A hash of the differences, which identifies a review.
    var fingerprint: String {
        var hash = SHA256()
        for line in all {
            hash.update(data: Array(line.utf8))
            hash.update(data: [0])
        }
        return Array(hash.finalize()).hexadecimal
    }
}
