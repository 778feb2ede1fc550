import CloudHTTP
import CloudService
import Records

/// The account of one person, for the server's administrators. It shows the size of the person's data, but
/// not the data.
struct PersonScreen: Screen {
    static let title = "Person"
    static let role = OperatorRole.admin
    static let actions: [String: OperatorRole] = [
        "status": .admin, "quota": .admin, "sign-out": .admin, "delete": .admin,
    ]
    static let deletions: Set<String> = ["delete"]

    private struct View: Sendable {
        var action: String
        var csrfToken: String
        var email: String
        var used: String
        var limit: String
        var typedQuota: String
        var statuses: [RecordsView.Option]
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let person = try await request.service.people.person(named: request.query["name"] ?? "")
        let (used, limit) = try await request.service.quotas.privateBytes(of: person)
        let view = View(
            action: Self.address(person.name), csrfToken: request.csrfToken, email: person.email ?? "",
            used: UsageScreen.bytes(used), limit: limit.map(UsageScreen.bytes) ?? "no limit",
            typedQuota: person.quotaBytes.map { String($0) } ?? "",
            statuses: AccountStatus.allCases.map {
                RecordsView.Option(
                    value: $0.rawValue, label: $0.rawValue, isSelected: $0 == person.status)
            })
        return PageContent(heading: person.name, html: try Page.html(ServerTemplate.person, view))
    }

    private static func address(_ name: String) -> String {
        Address.path("person") + Address.query([("name", name)])
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let people = request.service.people
        let person = try await people.person(named: request.query["name"] ?? "")
        let here = Self.address(person.name)
        switch action {
        case "status":
            guard let status = AccountStatus(rawValue: form["status"] ?? "") else { break }
            try await people.change(named: person.name) { $0.status = status }
            try await request.log(
                "person.status", person.name, before: person.status.rawValue, after: status.rawValue)
            return .redirect(to: here, notice: "\(person.name) is \(status.rawValue).")
        case "quota":
            let text = form.text("quota")
            let bytes = text.flatMap { Int64($0) }
            if text != nil, bytes == nil { break }
            try await people.change(named: person.name) { $0.quotaBytes = bytes }
            try await request.log(
                "person.quota", person.name, before: person.quotaBytes.map { String($0) },
                after: bytes.map { String($0) })
            return .redirect(to: here, notice: "The quota of \(person.name) was set.")
        case "sign-out":
            try await people.signOut(person: person.name)
            try await request.log("person.sign-out", person.name)
            return .redirect(to: here, notice: "All sessions of \(person.name) have ended.")
        default:
            guard form.text("confirm") == person.name else {
                throw RecordError(
                    .badRequest, "the name that was typed is not that of the person", culprit: "confirm",
                    nextStep: "type \(person.name) to delete the person")
            }
            try await people.delete(named: person.name)
            try await request.log("person.delete", person.name, before: person.name)
            return .redirect(to: Address.path("people"), notice: "\(person.name) was deleted.")
        }
        throw RecordError(
            .badRequest, "the value cannot be read", culprit: action, nextStep: "correct it")
    }
}
