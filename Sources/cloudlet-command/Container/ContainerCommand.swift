import ArgumentParser
import Records
import RecordsWire

struct ContainerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container",
        abstract: "Create, list, show, set up and delete containers.",
        usage: """
            cloudlet container create iCloud.org.example.app --data ./data
            cloudlet container list --data ./data
            """,
        discussion: """
            A container holds the data of one app, or of several apps that share it: a public \
            database, and a private one for each person, in development and in production. Records \
            cannot refer to records of another container.
            """,
        subcommands: [
            ContainerCreate.self, ContainerList.self, ContainerShow.self, ContainerCreators.self,
            ContainerSetFallback.self, ContainerDelete.self,
        ]
    )
}

struct ContainerCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a container.",
        discussion: """
            A name is iCloud. and one of your domains in reverse order: iCloud.org.example.app. \
            Other names work, with a warning.
            """
    )

    @Argument(help: "The name of the container.")
    var name: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(CreateContainer(name)) { $0.listing().noting(["created \(name)"]) }
    }
}

struct ContainerList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the containers of a server."
    )

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(ListContainers()) { containers in
            .table(
                ["NAME", "CREATED"],
                containers.elements.map { [$0.name, $0.createdAt.moment.cell] },
                whenEmpty: "no containers yet; create one: cloudlet container create iCloud.org.example.app"
            )
        }
    }
}

struct ContainerShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a container.")

    @Argument(help: "The name of the container.", completion: .containers)
    var name: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(ReadContainer(name)) { $0.listing }
    }
}

struct ContainerCreators: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "creators",
        abstract: "List who stores most in the public database of a container.",
        usage: """
            cloudlet container creators iCloud.org.example.app
            cloudlet container creators iCloud.org.example.app --environment production
            """,
        discussion: """
            Prints for each creator of public records their number, their size and the size of their files, \
            the largest first, at most 100; --after lists the next ones. Each person has the user record \
            name and the name to sign in with.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var name: String

    @OptionGroup var place: EnvironmentOption

    @Option(help: "Only the creators after this place, which the command prints if there are more.")
    var after: String?

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let environment = try place.environment
        try await options.call(ListCreators(of: name, environment, after: after)) { creators in
            let rows = creators.elements.map { creator in
                [
                    creator.userRecordName, creator.name.cell, String(creator.records),
                    ByteText.of(creator.recordBytes), ByteText.of(creator.assetBytes),
                    ByteText.of(creator.bytes),
                ]
            }
            let listing = Listing.table(
                ["USER RECORD", "NAME", "RECORDS", "SIZE", "FILES", "TOGETHER"], rows,
                whenEmpty: after == nil
                    ? "no public records in \(environment.rawValue)" : "no more creators"
            )
            .noting(rows.isEmpty ? [] : [environment.note(on: name)])
            guard rows.count == ListCreators.pageSize, let last = creators.elements.last else {
                return listing
            }
            return listing.noting(["perhaps there are more: --after \(last.place)"])
        }
    }
}

extension CreatorReport {
    /// The person's name, or what the creator is; nil for a person whose account was deleted.
    fileprivate var name: String? {
        switch kind {
        case .person: person
        case .serverKeys: "(server-to-server keys)"
        case .operators: "(operators of the console)"
        }
    }
}

struct ContainerSetFallback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-fallback",
        abstract: "Set the address of the app's web page, to which the pages of shares lead.",
        discussion: """
            The link of a share shows a page of this server, on which invited people sign in and \
            accept. From there it leads to this address, with the short GUID of the share appended. \
            `default` is the address that `serve --fallback-url` gives to all containers.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var name: String

    @Argument(help: "An address such as https://app.example/open/, or default.")
    var address: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let url = address == "default" ? nil : address
        let note = url.map { "lead to \($0)" } ?? "lead to the address for all containers, if there is one"
        try await options.call(SetContainerFallback(name, fallbackURL: url)) {
            $0.listing().noting(["the pages of shares in \(name) " + note])
        }
    }
}

struct ContainerDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a container with all its data.",
        discussion: """
            Deletes both environments with everybody's private database, all files, users, tokens \
            and schemas. This cannot be undone; make a backup first: cloudlet backup DIR.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var name: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let before = try await options.answer(to: ReadContainer(name)).summary
        try confirmation.ask("delete \(name), with \(before)")
        try await options.call(DeleteContainer(name)) { _ in
            Listing(notes: ["deleted \(name), with \(before)"])
        }
    }
}

extension ContainerReport {
    /// The fields of a container followed by `more`, with its warnings as notes.
    fileprivate func listing(_ more: [(String, String?)] = []) -> Listing {
        .fields([("name", name), ("created", createdAt.moment), ("web page", fallbackURL)] + more)
            .noting(warnings.map { "warning: " + $0 })
    }
}

extension ContainerDetails {
    fileprivate var listing: Listing {
        container.listing([
            ("users", String(users)),
            ("development", development.summary), ("production", production.summary),
            (
                "public records, development",
                ByteText.of(development.publicRecordBytes, limit: development.publicRecordBytesLimit)
            ),
            (
                "public files, development",
                ByteText.of(development.publicAssetBytes, limit: development.publicAssetBytesLimit)
            ),
            (
                "public records, production",
                ByteText.of(production.publicRecordBytes, limit: production.publicRecordBytesLimit)
            ),
            (
                "public files, production",
                ByteText.of(production.publicAssetBytes, limit: production.publicAssetBytesLimit)
            ),
        ])
    }

    /// The contents of both environments, for confirmations.
    fileprivate var summary: String {
        "\(development.summary) in development and \(production.summary) in production"
    }
}

extension ContainerDetails.Contents {
    /// The contents of one environment: its size and number of private databases.
    fileprivate var summary: String {
        let databases =
            privateDatabases == 1 ? "1 private database" : "\(privateDatabases) private databases"
        return "\(ByteText.of(bytes)), \(databases)"
    }
}
