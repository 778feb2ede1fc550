import CloudHTTP
import CloudService
import Records

/// The people of the server, for its administrators.
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
        }

        var action: String
        var proof: String
        var rows: [Row]
        var pages: [PageLink]
        var typedName: String
        var typedEmail: String
    }

    func page(_ visit: Visit) async throws -> PageContent {
        let slice = ListSlice(try await visit.service.people.all(), from: visit.query["from"], size: 50)
        let rows = slice.elements.map { person in
            View.Row(
                href: Address.path("person") + Address.query([("name", person.name)]), name: person.name,
                email: person.email ?? "", status: person.status.rawValue,
                created: ValueText.text(of: person.created))
        }
        let view = View(
            action: Address.path("people"), proof: visit.proof, rows: rows,
            pages: slice.links(Address.path("people")), typedName: visit.typed("name"),
            typedEmail: visit.typed("email"))
        return PageContent(heading: Self.title, html: try Page.html(Template.people, view))
    }

    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome {
        let account = Account(try form.required("name"), email: form.text("email"))
        let password = form["password"].flatMap { $0.isEmpty ? nil : $0 }
        let added = try await visit.service.people.add(account, password: password)
        try await visit.log("person.add", added.name, after: added.name)
        return .leads(to: Address.path("people"), notice: "\(added.name) was added.")
    }
}
