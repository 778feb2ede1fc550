// Owns the commands between schemas and files: export, import, validate, diff.

import ArgumentParser
import Foundation
import Records
import RecordsWire

/// Prints a schema.
struct SchemaExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print a schema in the schema language (.ckdb)."
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var place: EnvironmentOption
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(.get("containers", container, place.environment.rawValue, "schema")) {
            let text = try $0.required("schema").string()
            return Listing(
                lines: text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(
                    String.init))
        }
    }
}

/// Replaces the schema of development.
struct SchemaImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Replace the schema of development by a file.",
        discussion: """
            Types and fields that the file leaves out go with their data. Nothing is changed when the file \
            is no schema, when production would lose a type or field, or when a field would change its type.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var file: SchemaFile
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let text = try file.text()
        func call(_ verb: String) -> OperatorCall {
            .post("containers", container, "development", "schema", verb) { $0.member("schema", text) }
        }
        let changes = try await options.answer(to: call("validate")).differences(whenNone: "").lines
        let losses = changes.filter { $0.hasPrefix("- ") && !$0.hasPrefix("- CREATE ROLE") }
        if !losses.isEmpty {
            for loss in losses { Talk.say(loss) }
            try confirmation.ask("delete this from development of \(container), with its data")
        }
        try await options.call(call("import")) { $0.differences(whenNone: "nothing to change") }
    }
}

/// Checks a schema file.
struct SchemaValidate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check whether a file could be imported.",
        discussion: "Prints what an import would change, and changes nothing."
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var file: SchemaFile
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let text = try file.text()
        let call = OperatorCall.post("containers", container, "development", "schema", "validate") {
            $0.member("schema", text)
        }
        try await options.call(call) {
            $0.differences(whenNone: "nothing to change").noting(["schema is valid"])
        }
    }
}

/// Compares schemas.
struct SchemaDiff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what a file, or a deployment, would change.",
        discussion: """
            With a file: what stands in it and not in the container's schema (+), or the other way \
            round (-). Without one: what deploying development would change in production.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @Argument(
        help: "A file in the schema language (.ckdb); - reads standard input.",
        completion: .file(extensions: ["ckdb"]))
    var file: String?

    @OptionGroup var place: EnvironmentOption
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        guard let file else {
            let call = OperatorCall.post("containers", container, "development", "schema", "deploy") {
                $0.member("dryRun", true)
            }
            return try await options.call(call) {
                $0.differences(whenNone: "production has all that development has")
            }
        }
        let text = try SchemaFile.text(of: file)
        let call = try OperatorCall.post(
            "containers", container, place.environment.rawValue, "schema", "diff"
        ) {
            $0.member("schema", text)
        }
        try await options.call(call) { $0.differences(whenNone: "the schemas are the same") }
    }
}
