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
        var csrfToken: String
        var mayChange: Bool
        var secret: String?
        var tokens: [Row]
        var keys: [Row]
        var pages: [PageLink]
        var typedLabel: String
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        try await content(request, secret: nil)
    }

    private func content(_ request: ScreenRequest, secret: String?) async throws -> PageContent {
        let place = try request.container()
        let credentials = request.service.credentials
        var budget = PageTextBudget(bytes: 30_000)
        func row(_ id: String, _ label: String, _ created: Timestamp, _ revoked: Timestamp?) -> View.Row {
            View.Row(
                id: id, rowLabel: budget.shortened(label, bytes: 100), created: ValueText.text(of: created),
                isRevoked: revoked != nil)
        }
        let tokens = try await credentials.apiTokens(of: place.container)
            .filter { $0.environment == place.environment }.reversed()
        let keys = try await credentials.serverKeys(of: place.container)
            .filter { $0.environment == place.environment }.reversed()
        let start = request.query["from"]
        let (tokenSlice, keySlice) = (
            ListSlice(Array(tokens), from: start, size: 40), ListSlice(Array(keys), from: start, size: 40)
        )
        let longer = tokens.count > keys.count ? tokenSlice.links(place.path("tokens")) : nil
        let view = View(
            action: place.path("tokens"), csrfToken: request.csrfToken, mayChange: request.may(.admin),
            secret: secret,
            tokens: tokenSlice.elements.map { row($0.id, $0.label, $0.created, $0.revoked) },
            keys: keySlice.elements.map { row($0.id, $0.label, $0.created, $0.revoked) },
            pages: longer ?? keySlice.links(place.path("tokens")),
            typedLabel: request.typed("label"))
        return PageContent(heading: Self.title, html: try Page.html(Template.tokens, view))
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let place = try request.container()
        let credentials = request.service.credentials
        switch action {
        case "create":
            let (text, token) = try await credentials.addAPIToken(
                container: place.container, environment: place.environment,
                label: try form.required("label"))
            try await request.log("token.create", token.id, after: token.label)
            return .page(try await content(request, secret: text))
        case "register":
            let key = try await credentials.addServerKey(
                container: place.container, environment: place.environment,
                label: try form.required("label"), publicKey: try form.required("key"))
            try await request.log("key.register", key.id, after: key.label)
            return .redirect(to: place.path("tokens"), notice: "The key was registered: \(key.id)")
        default:
            let id = try form.required("id")
            try await revoke(id, isKey: action == "revokeKey", request, place)
            return .redirect(to: place.path("tokens"), notice: "\(id) was revoked.")
        }
    }

    /// Revokes a token or key of this container and environment; those of others are not found.
    private func revoke(
        _ id: String, isKey: Bool, _ request: ScreenRequest, _ place: ConsolePlace
    ) async throws {
        let credentials = request.service.credentials
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
        try await request.log(isKey ? "key.revoke" : "token.revoke", id, before: "valid", after: "revoked")
    }
}
