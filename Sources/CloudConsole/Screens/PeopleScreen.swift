import CloudHTTP
import CloudService
import Records

/// The people of the server, for its administrators: all by name, or those who store most.
struct PeopleScreen: Screen {
    static let title = "People"
    static let role = OperatorRole.admin
    static let actions: [String: OperatorRole] = ["add": .admin]

    private struct View: Sendable {
        struct Row: Sendable {
            var href: String
            var name: String
            var email: String
            var status: String
            var created: String
            var used: String
        }

        var action: String
        var proof: String
        var isBySize: Bool
        var nameHref: String
        var sizeHref: String
        var rows: [Row]
        var pages: [PageLink]
        var typedName: String
        var typedEmail: String
    }

    /// People on one page.
    private static let size = 50

    func page(_ visit: Visit) async throws -> PageContent {
        let address = Address.path("people")
        let isBySize = visit.query["sort"] == "size"
        var view = View(
            action: address, proof: visit.proof, isBySize: isBySize, nameHref: address,
            sizeHref: address + Address.query([("sort", "size")]), rows: [], pages: [],
            typedName: visit.typed("name"), typedEmail: visit.typed("email"))
        if isBySize {
            view.rows = try await visit.service.quotas.largestPeople(Self.size)
                .map { Self.row($0.person, used: UsageScreen.bytes($0.used)) }
        } else {
            let after = visit.query["after"]
            let people = try await visit.service.people.page(after: after, limit: Self.size + 1)
            let shown = people.prefix(Self.size)
            view.rows = shown.map { Self.row($0, used: "") }
            if after != nil { view.pages.append(PageLink(href: address, label: "First page")) }
            if people.count > shown.count, let last = shown.last {
                view.pages.append(
                    PageLink(href: address + Address.query([("after", last.name)]), label: "Next"))
            }
        }
        return PageContent(heading: Self.title, html: try Page.html(ServerTemplate.people, view))
    }

    private static func row(_ person: Account, used: String) -> View.Row {
        View.Row(
            href: Address.path("person") + Address.query([("name", person.name)]), name: person.name,
            email: person.email ?? "", status: person.status.rawValue,
            created: ValueText.text(of: person.created), used: used)
    }

    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome {
        let account = Account(try form.required("name"), email: form.text("email"))
        let password = form["password"].flatMap { $0.isEmpty ? nil : $0 }
        let added = try await visit.service.people.add(account, password: password)
        try await visit.log("person.add", added.name, after: added.name)
        return .leads(to: Address.path("people"), notice: "\(added.name) was added.")
    }
}
