// Owns `cloudlet container`: which containers a server has.

import ArgumentParser
import RecordsWire

/// Makes, lists and shows containers.
struct ContainerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container",
        abstract: "Make, list and show containers.",
        usage: """
            cloudlet container create iCloud.org.example.app --data ./data
            cloudlet container list --data ./data
            """,
        discussion: """
            A container is the data of one app, or of several that share it: a public database, and a \
            private one for each person, in development and in production. Nothing leads from one \
            container into another.
            """,
        subcommands: [ContainerCreate.self, ContainerList.self, ContainerShow.self]
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

    @Argument(help: "The name of the container.")
    var name: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(.get("containers", name)) { $0.container }
    }
}

extension JSONNode {
    /// A container for people, its warnings beside it.
    fileprivate var container: Listing {
        .fields([("name", self["name"]?.stringValue), ("created", self["createdAt"]?.moment)])
            .noting(self["warnings"]?.texts.map { "warning: " + $0 } ?? [])
    }
}
