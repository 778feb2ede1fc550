import CloudHTTP
import CloudService
import Records

/// The settings of a container: the app's web page, to which the pages of shares lead.
struct SettingsScreen: Screen {
    static let title = "Settings"
    static let actions: [String: OperatorRole] = ["set": .admin]

    private struct View: Sendable {
        var action: String
        var proof: String
        var mayChange: Bool
        var ownURL: String
        var serverURL: String?
    }

    func page(_ visit: Visit) async throws -> PageContent {
        let place = try visit.container()
        let known = try await visit.service.containers.container(place.container).fallbackURL
        var budget = TextBudget(bytes: 20_000)
        let view = View(
            action: place.path("settings"), proof: visit.proof, mayChange: visit.may(.admin),
            ownURL: visit.refused == nil ? budget.shortened(known ?? "", most: 4000) : visit.typed("url"),
            serverURL: visit.service.shares.fallbackURL)
        return PageContent(heading: Self.title, html: try Page.html(Template.settings, view))
    }

    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome {
        let place = try visit.container()
        let containers = visit.service.containers
        let before = try await containers.container(place.container).fallbackURL
        let after = try await containers.setFallbackURL(form.text("url"), of: place.container).fallbackURL
        if before != after {
            try await visit.log("container.web-page", place.container, before: before, after: after)
        }
        return .leads(to: place.path("settings"), notice: "The app's web page was set.")
    }
}
