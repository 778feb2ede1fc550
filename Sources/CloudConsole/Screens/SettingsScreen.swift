import CloudHTTP
import CloudService
import Records

/// The settings of a container: the app's web page, to which the pages of shares lead.
struct SettingsScreen: Screen {
    static let title = "Settings"
    static let actions: [String: OperatorRole] = ["set": .admin]

    private struct View: Sendable {
        var action: String
        var csrfToken: String
        var mayChange: Bool
        /// The address in the form.
        var ownURL: String
        /// The present address; nil if there is none.
        var knownURL: String?
        var serverURL: String?
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let known = try await request.service.containers.container(place.container).fallbackURL
        var budget = PageTextBudget(bytes: 20_000)
        let view = View(
            action: place.path("settings"), csrfToken: request.csrfToken, mayChange: request.may(.admin),
            ownURL: request.refused == nil
                ? budget.shortened(known ?? "", bytes: 4000) : request.typed("url"),
            knownURL: known.map { budget.shortened($0, bytes: 4000) },
            serverURL: request.service.shares.fallbackURL)
        return PageContent(heading: Self.title, html: try Page.html(Template.settings, view))
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        let containers = request.service.containers
        let before = try await containers.container(place.container).fallbackURL
        let after = try await containers.setFallbackURL(form.text("url"), of: place.container).fallbackURL
        if before != after {
            try await request.log("container.web-page", place.container, before: before, after: after)
        }
        return .redirect(to: place.path("settings"), notice: "The app's web page was set.")
    }
}
