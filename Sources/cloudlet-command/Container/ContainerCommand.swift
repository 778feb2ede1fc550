// Owns `cloudlet container`: which containers a server has.

import ArgumentParser
import RecordsWire

/// Makes, lists, shows and deletes containers.
struct ContainerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container",
        abstract: "Make, list, show and delete containers.",
        usage: """
            cloudlet container create iCloud.org.example.app --data ./data
            cloudlet container list --data ./data
            """,
        discussion: """
            A container is the data of one app, or of several that share it: a public database, and a \
            private one for each person, in development and in production. Nothing leads from one \
            container into another.
            """,
        subcommands: [ContainerCreate.self, ContainerList.self, ContainerShow.self, ContainerDelete.self]
    )
}

/// Makes a container.
struct ContainerCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a container.",
        discussion: """
            Names are iCloud. and a domain of yours, backwards: iCloud.org.example.app. Others work, \
            with a warning.
            """
    )

    @Argument(help: "The name of the container.")
    var name: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let call = OperatorCall.post("containers") { $0.member("name", name) }
        try await options.call(call) { $0.container.noting(["created \(name)"]) }
    }
}

/// Lists containers.
struct ContainerList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the containers of a server."
    )

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(.get("containers")) { answer in
            let containers = try answer.required("containers").elements
            return .table(
                ["NAME", "CREATED"],
                containers.map { [$0["name"]?.stringValue ?? "", $0["createdAt"]?.moment ?? "-"] },
                whenEmpty: "no containers yet; make one: cloudlet container create iCloud.org.example.app"
            )
        }
    }
}

/// Shows a container.
struct ContainerShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a container.")

    @Argument(help: "The name of the container.", completion: .containers)
    var name: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(.get("containers", name)) { $0.container }
    }
}

/// Deletes a container.
struct ContainerDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a container with all its data.",
        discussion: """
            Both environments go, with everybody's private database, all files, users, tokens and \
            schemas. It cannot be undone; make a backup first: cloudlet backup DIR.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var name: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let before = try await options.answer(to: .get("containers", name))
        try confirmation.ask("delete \(name), with \(before.contents)")
        try await options.call(.post("containers", name, "delete")) { _ in
            Listing(notes: ["deleted \(name), with \(before.contents)"])
        }
    }
}

extension JSONNode {
    /// A container for people, its warnings beside it.
    fileprivate var container: Listing {
        .fields([
            ("name", self["name"]?.stringValue), ("created", self["createdAt"]?.moment),
            ("users", self["users"]?.int64Value.map(String.init)),
            ("development", self["development"]?.usage), ("production", self["production"]?.usage),
            (
                "public records, production",
                self["production"]?.space("publicRecordBytes", "publicRecordBytesLimit")
            ),
            (
                "public files, production",
                self["production"]?.space("publicAssetBytes", "publicAssetBytesLimit")
            ),
        ])
        .noting(self["warnings"]?.texts.map { "warning: " + $0 } ?? [])
    }

    /// What a container holds, in words.
    fileprivate var contents: String {
        let parts = [("development", self["development"]), ("production", self["production"])]
        return parts.compactMap { name, part in part?.usage.map { "\($0) in \(name)" } }
            .joined(separator: " and ")
    }

    /// What an environment holds, in words.
    private var usage: String? {
        guard let people = self["privateDatabases"]?.int64Value, let bytes = self["bytes"]?.int64Value else {
            return nil
        }
        let databases = people == 1 ? "1 private database" : "\(people) private databases"
        return "\(ByteText.of(bytes)), \(databases)"
    }

    /// What the public database takes up, of what it may.
    private func space(_ used: StaticString, _ limit: StaticString) -> String? {
        ByteText.of(self[used], limit: self[limit])
    }
}
