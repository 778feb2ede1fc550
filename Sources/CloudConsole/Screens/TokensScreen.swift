import CloudHTTP
import CloudService
import Records

/// The API tokens and server-to-server keys of a container in one environment.
struct TokensScreen: Screen {
    static let title = "Tokens and keys"
    static let actions: [String: OperatorRole] = [
        "create": .admin, "revoke": .admin, "register": .admin, "revokeKey": .admin,
    ]

    private struct View: Sendable {
        struct Row: Sendable {
            var id: String
            var rowLabel: String
            var created: String
            var isRevoked: Bool
        }

        var action: String
        var proof: String
        var mayChange: Bool
        var secret: String?
        var tokens: [Row]
        var keys: [Row]
        var pages: [PageLink]
        var typedLabel: String
    }

    func page(_ visit: Visit) async throws -> PageContent { try await content(visit, secret: nil) }

    private func content(_ visit: Visit, secret: String?) async throws -> PageContent {
        let place = try visit.container()
        let credentials = visit.service.credentials
        var budget = TextBudget(bytes: 30_000)
        func row(_ id: String, _ label: String, _ created: Timestamp, _ revoked: Timestamp?) -> View.Row {
            View.Row(
                id: id, rowLabel: budget.shortened(label, most: 100), created: ValueText.text(of: created),
                isRevoked: revoked != nil)
        }
        let tokens = try await credentials.apiTokens(of: place.container)
            .filter { $0.environment == place.environment }.reversed()
        let keys = try await credentials.serverKeys(of: place.container)
            .filter { $0.environment == place.environment }.reversed()
        let start = visit.query["from"]
        let (tokenSlice, keySlice) = (
            ListSlice(Array(tokens), from: start, size: 40), ListSlice(Array(keys), from: start, size: 40)
        )
        let longer = tokens.count > keys.count ? tokenSlice.links(place.path("tokens")) : nil
        let view = View(
            action: place.path("tokens"), proof: visit.proof, mayChange: visit.may(.admin), secret: secret,
            tokens: tokenSlice.elements.map { row($0.id, $0.label, $0.created, $0.revoked) },
            keys: keySlice.elements.map { row($0.id, $0.label, $0.created, $0.revoked) },
            pages: longer ?? keySlice.links(place.path("tokens")),
            typedLabel: visit.typed("label"))
        return PageContent(heading: Self.title, html: try Page.html(Template.tokens, view))
    }

    func act(_ action: String, _ form: FormFields, _ visit: Visit) async throws -> Outcome {
        let place = try visit.container()
        let credentials = visit.service.credentials
        switch action {
        case "create":
            let (text, token) = try await credentials.addAPIToken(
                container: place.container, environment: place.environment,
                label: try form.required("label"))
            try await visit.log("token.create", token.id, after: token.label)
            return .shows(try await content(visit, secret: text))
        case "register":
            let key = try await credentials.addServerKey(
                container: place.container, environment: place.environment,
                label: try form.required("label"), publicKey: try form.required("key"))
            try await visit.log("key.register", key.id, after: key.label)
            return .leads(to: place.path("tokens"), notice: "The key was registered: \(key.id)")
        default:
            let id = try form.required("id")
            try await revoke(id, isKey: action == "revokeKey", visit, place)
            return .leads(to: place.path("tokens"), notice: "\(id) was revoked.")
        }
    }

    /// Revokes a token or key of this container and environment; those of others are not found.
    private func revoke(_ id: String, isKey: Bool, _ visit: Visit, _ place: ConsolePlace) async throws {
        let credentials = visit.service.credentials
        let own =
            isKey
            ? try await credentials.serverKeys(of: place.container)
                .filter { $0.environment == place.environment }.map(\.id)
            : try await credentials.apiTokens(of: place.container)
                .filter { $0.environment == place.environment }.map(\.id)
        guard own.contains(id) else {
            throw RecordError(
                .notFound, isKey ? "there is no such key" : "there is no such token", culprit: id,
                nextStep: "choose one of the list")
        }
        if isKey {
            try await credentials.revokeServerKey(id: id)
        } else {
            try await credentials.revokeAPIToken(id: id)
        }
        try await visit.log(isKey ? "key.revoke" : "token.revoke", id, before: "valid", after: "revoked")
    }
}
