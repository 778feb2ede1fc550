import ArgumentParser
import Records
import RecordsWire

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create, list and revoke the API tokens of apps.",
        usage: """
            cloudlet token create iCloud.org.example.app --environment production \\
                --origin https://app.example.org
            cloudlet token list iCloud.org.example.app
            cloudlet token revoke 0123456789ab
            """,
        discussion: """
            An API token gives an app access to one environment of one container, anonymously or for \
            a person who signs in. It identifies the app, not a person, and can be limited to the \
            web pages of certain origins. The server stores only its hash.
            """,
        subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self]
    )
}

struct TokenCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an API token.",
        discussion: "Prints the token, which cannot be shown again, and its id, which revokes it."
    )

    @Argument(help: "The container that the token is for.", completion: .containers)
    var container: String

    @OptionGroup var place: EnvironmentOption

    @Option(help: "A name for the token in lists.")
    var label = ""

    @Option(help: "An origin whose pages may use it, such as https://app.example.org; may be repeated.")
    var origin: [String] = []

    @Option(help: "The address to which the sign-in page redirects. Default: it posts a message instead")
    var callback: String?

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let call = CreateToken(
            for: container, try place.environment, label: label, allowedOrigins: origin,
            callback: callback.map { .redirect($0) } ?? .message)
        try await options.call(call) { new in
            Listing(
                lines: [new.text],
                notes: [
                    "token \(new.token.id) for \(container) in \(new.token.environment.rawValue);"
                        + " it is shown only once"
                ]
            )
        }
    }
}

struct TokenList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the API tokens of a container.",
        discussion: "Shows ids and labels. The server does not store the tokens themselves."
    )

    @Argument(help: "The container.", completion: .containers)
    var container: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(ListTokens(of: container)) { tokens in
            .table(
                ["ID", "ENVIRONMENT", "LABEL", "ORIGINS", "CALLBACK", "CREATED", "REVOKED"],
                tokens.elements.map { token in
                    let origins = token.allowedOrigins.joined(separator: " ")
                    return [
                        token.id, token.environment.rawValue, (token.label as String?).cell,
                        origins.isEmpty ? "any" : origins, token.callback.address ?? "message",
                        token.created.moment.cell, (token.revoked?.moment).cell,
                    ]
                },
                whenEmpty: "no tokens yet; create one: cloudlet token create \(container)"
            )
        }
    }
}

struct TokenRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke an API token, immediately and permanently.",
        discussion: "The server rejects the next request of an app that uses it."
    )

    @Argument(help: "The token's id, as the list shows it.")
    var id: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(RevokeToken(id: id)) { _ in Listing(notes: ["revoked token \(id)"]) }
    }
}
