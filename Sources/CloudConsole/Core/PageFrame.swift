import CloudHTTP
import HTTPTypes
import Hummingbird
import Records

/// The header and footer of a screen's page.
struct PageFrame: Sendable {
    let request: ScreenRequest
    let screen: any Screen.Type
    /// A message about the operator's last action; nil if there is none.
    let notice: String?

    /// The values of the template.
    private struct View: Sendable {
        var pageTitle: String
        var pageHeading: String
        var who: String
        var whoRole: String
        var frameToken: String
        var containerName: String?
        var environments: [PageLink]
        var sections: [PageLink]
        var serverLinks: [PageLink]
        var notice: String?
        var problem: String?
        var content: String
    }

    /// A page with the screen's content.
    func response(_ content: PageContent, problem: RecordError? = nil) throws -> Response {
        if let file = content.file, problem == nil {
            return Page.response(
                file.bytes, contentType: file.contentType, name: file.name, policy: Console.filePolicy)
        }
        return try response(content, status: problem.map { Page.status($0) } ?? .ok, problem)
    }

    /// A page with an error in place of the screen's content.
    func response(problem: RecordError) throws -> Response {
        try response(PageContent(heading: screen.title, html: ""), status: Page.status(problem), problem)
    }

    private func response(
        _ content: PageContent, status: HTTPResponse.Status, _ problem: RecordError?
    ) throws -> Response {
        let place = request.role == nil ? nil : request.place
        let title = [content.heading, place?.container ?? "Console"].joined(separator: " · ")
        let view = View(
            pageTitle: problem == nil ? title : "Error: " + title, pageHeading: content.heading,
            who: request.operatorAccount.name, whoRole: request.role?.rawValue ?? "",
            frameToken: request.csrfToken, containerName: place?.container,
            environments: place.map(environments) ?? [], sections: place.map(sections) ?? [],
            serverLinks: serverLinks, notice: notice,
            problem: problem.map(Self.text), content: content.html)
        var response = Page.response(try Page.html(Template.frame, view), status, policy: Console.policy)
        if let seconds = content.refreshSeconds, let refresh = HTTPField.Name("Refresh") {
            response.headers[refresh] = String(seconds)
        }
        return response
    }

    /// The text of an error, shortened: its reason and culprit can repeat a long text from the form.
    private static func text(of error: RecordError) -> String {
        var budget = PageTextBudget(bytes: 4000)
        let culprit = error.culprit.map { budget.shortened($0, bytes: 256) + ": " } ?? ""
        return culprit + budget.shortened(Page.sentence(error), bytes: 1000)
    }

    private func environments(_ place: ConsolePlace) -> [PageLink] {
        CloudEnvironment.allCases.map { environment in
            var other = place
            other.environment = environment
            return PageLink(
                href: other.path(), label: environment.rawValue, isCurrent: environment == place.environment)
        }
    }

    private func sections(_ place: ConsolePlace) -> [PageLink] {
        let all: [(String, any Screen.Type)] = [
            ("types", TypesScreen.self), ("records", RecordsScreen.self), ("roles", RolesScreen.self),
            ("schema", SchemaScreen.self), ("deploy", DeployScreen.self), ("tokens", TokensScreen.self),
            ("zones", ZonesScreen.self), ("users", UsersScreen.self), ("usage", UsageScreen.self),
            ("performance", PerformanceScreen.self), ("own", OwnScreen.self),
            ("shares", SharesScreen.self), ("subscriptions", SubscriptionsScreen.self),
            ("logs", LogsScreen.self),
            ("settings", SettingsScreen.self), ("audit", AuditScreen.self),
        ]
        return all.filter { request.may($0.1.role) }.map { section, type in
            PageLink(href: place.path(section), label: type.title, isCurrent: type == screen)
        }
    }

    private var serverLinks: [PageLink] {
        let all: [(String, any Screen.Type)] = [
            ("containers", ContainersScreen.self), ("people", PeopleScreen.self),
            ("operators", OperatorsScreen.self), ("maintenance", MaintenanceScreen.self),
            ("limits", LimitsScreen.self), ("logs", LogsScreen.self), ("audit", AuditScreen.self),
        ]
        let role = request.operatorAccount.role
        return all.filter { name, type in name == "containers" || role.map { $0 >= type.role } ?? false }
            .map { name, type in
                PageLink(
                    href: Address.path(name), label: type.title,
                    isCurrent: type == screen && request.place == nil)
            }
    }
}
