import CloudHTTP
import CloudService
import Records
import RecordsWire

/// Shows the changes that a deployment would make in production, and deploys them.
struct DeployScreen: Screen {
    static let title = "Deploy"
    static let actions: [String: OperatorRole] = ["deploy": .admin]

    private struct View: Sendable {
        var action: String
        var csrfToken: String
        var fingerprint: String
        var changes: [String]
        var changeCount: Int
        /// What dropping indexes frees; nil if none is dropped.
        var freed: String?
        var mayDeploy: Bool
        var isUnchanged: Bool
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let (change, lines) = try await Self.change(request, reviewed: nil)
        let view = View(
            action: place.path("deploy"), csrfToken: request.csrfToken, fingerprint: lines.fingerprint,
            changes: lines.shown, changeCount: lines.all.count,
            freed: try await DroppedIndexes(change).review(request, .production),
            mayDeploy: request.may(.admin) && !lines.all.isEmpty, isUnchanged: lines.all.isEmpty)
        return PageContent(heading: Self.title, html: try Page.html(Template.deploy, view))
    }

    /// Returns the changes that a deployment would make. With `reviewed`, the fingerprint of the reviewed
    /// changes, it deploys them. Throws `conflict` and changes nothing if the changes differ from the
    /// reviewed ones.
    private static func change(
        _ request: ScreenRequest, reviewed: String?
    ) async throws -> (SchemaComparison, DifferenceLines) {
        let container = try request.container().container
        let schemas = request.service.schemas
        let change = try await schemas.deploySchema(of: container, isTrial: reviewed == nil) {
            try SchemaSource(text: Array($0.text.utf8))
        } check: { change in
            if DifferenceLines(change).fingerprint == reviewed { return }
            throw RecordError(
                .conflict, "the schema has changed since it was reviewed", culprit: container,
                nextStep: "review the changes again")
        }
        return try await (change, schemas.computing(for: container) { DifferenceLines(change) })
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        let (change, lines) = try await Self.change(request, reviewed: form["reviewed"] ?? "")
        try await request.log("schema.deploy", place.container, after: lines.all.joined(separator: "\n"))
        return .redirect(
            to: place.path("deploy"),
            notice: "The schema was deployed: \(lines.all.count) changes. It is locked in production."
                + TypeChange.freedText(change.freedBytes))
    }
}
