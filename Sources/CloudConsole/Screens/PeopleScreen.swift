import CloudHTTP
import CloudService
import Records

/// The people of the server, for its administrators: all people sorted by name, or those who store the most.
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
        var csrfToken: String
        var isBySize: Bool
        /// Whether the sizes are not known yet, because another request is still calculating them.
        var isCounting = false
        var nameHref: String
        var sizeHref: String
        var rows: [Row]
        var pages: [PageLink]
        var typedName: String
        var typedEmail: String
    }

    /// The maximum number of people on one page.
    private static let pageSize = 50

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let address = Address.path("people")
        let isBySize = request.query["sort"] == "size"
        var view = View(
            action: address, csrfToken: request.csrfToken, isBySize: isBySize, nameHref: address,
            sizeHref: address + Address.query([("sort", "size")]), rows: [], pages: [],
            typedName: request.typed("name"), typedEmail: request.typed("email"))
        var budget = PageTextBudget(bytes: 60_000)
        if isBySize {
            let largest = try await request.service.quotas.largestPeople(Self.pageSize)
            view.isCounting = largest == nil
            view.rows = (largest ?? [])
                .compactMap { Self.row($0.person, used: UsageScreen.bytes($0.used), &budget) }
        } else {
            let after = request.query["after"]
            let people = try await request.service.people.page(after: after, limit: Self.pageSize + 1)
            for person in people.prefix(Self.pageSize) {
                guard let row = Self.row(person, used: "", &budget) else { break }
                view.rows.append(row)
            }
            if after != nil { view.pages.append(PageLink(href: address, label: "First page")) }
            if people.count > view.rows.count, let last = people.prefix(view.rows.count).last {
                view.pages.append(
                    PageLink(href: address + Address.query([("after", last.name)]), label: "Next"))
            }
        }
        return PageContent(heading: Self.title, html: try Page.html(ServerTemplate.people, view))
    }

    /// The row of a person; nil if the page has no room for it. Names have up to 64 characters, which can
    /// have many bytes each.
    private static func row(_ person: Account, used: String, _ budget: inout PageTextBudget) -> View.Row? {
        let address = Address.path("person") + Address.query([("name", person.name)])
        guard let href = budget.whole(address, bytes: 4000) else { return nil }
        return View.Row(
            href: href, name: budget.shortened(person.name, bytes: 300),
            email: budget.shortened(person.email ?? "", bytes: 100), status: person.status.rawValue,
            created: ValueText.text(of: person.created), used: used)
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let account = Account(try form.required("name"), email: form.text("email"))
        let password = form["password"].flatMap { $0.isEmpty ? nil : $0 }
        let added = try await request.service.people.add(account, password: password)
        try await request.log("person.add", added.name, after: added.name)
        return .redirect(to: Address.path("people"), notice: "\(added.name) was added.")
    }
}
