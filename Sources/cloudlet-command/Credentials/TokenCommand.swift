import ArgumentParser
import Records
import RecordsWire

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list and revoke the API tokens of apps.",
        usage: """
            cloudlet token create iCloud.org.example.app --environment production \\
                --origin https://app.example.org
            cloudlet token list iCloud.org.example.app
            cloudlet token revoke 0123456789ab
            """,
        discussion: """
            An API token lets an app ask for one environment of one container: as nobody in particular, or \
            for a person who signs in. It is no secret of a person, but can be bound to the web pages that \
            may use it. The server keeps its hash alone.
            """,
        subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self]
    )
}

struct TokenCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an API token.",
        discussion: "Prints the token, which is told this once; its id, to revoke it by, is said beside it."
    )

    @Argument(help: "The container that the token is for.", completion: .containers)
    var container: String

    @OptionGroup var place: EnvironmentOption

    @Option(help: "What to call it in lists.")
    var label = ""

    @Option(help: "An origin whose pages may use it, as https://app.example.org; may be given again.")
    var origin: [String] = []

    @Option(help: "Where the sign-in page leads the browser back to. Default: it sends a message instead")
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
                        + " it is shown this once"
                ]
            )
        }
    }
}

struct TokenList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the API tokens of a container.",
        discussion: "The tokens themselves are nowhere; the list names them by id and label."
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
                whenEmpty: "no tokens yet; make one: cloudlet token create \(container)"
            )
        }
    }
}

struct TokenRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke an API token, at once and for good.",
        discussion: "Apps that use it are refused from the next request on."
    )

    @Argument(help: "The token's id, as the list shows it.")
    var id: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(RevokeToken(id: id)) { _ in Listing(notes: ["revoked token \(id)"]) }
    }
}
