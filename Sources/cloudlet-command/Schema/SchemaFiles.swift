import ArgumentParser
import Foundation
import Records
import RecordsWire

struct SchemaExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print a schema in the schema language (.ckdb)."
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var place: EnvironmentOption
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let environment = try place.environment
        try await options.call(ReadSchema(of: container, environment)) { schema in
            let text = (schema.text ?? "").dropLast()
            return Listing(
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
                notes: [environment.note(on: container)])
        }
    }
}

struct SchemaImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Replace the development schema by a file.",
        discussion: """
            Deletes the types and fields that the file does not contain, with their data. Changes \
            nothing if the file is not a valid schema, if production has a type or field that it \
            lacks, or if a field would change its type.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var file: SchemaFile
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let text = try file.text()
        let input = SchemaInput(text, for: container)
        let changes = try await options.answer(to: ValidateSchema(input)).lines
        let losses = changes.filter { $0.hasPrefix("- ") && !$0.hasPrefix("- CREATE ROLE") }
        if !losses.isEmpty {
            for loss in losses { Messages.say(loss) }
            try confirmation.ask("delete this from development of \(container), with its data")
        }
        try await options.call(ImportSchema(input)) {
            $0.listing(whenNone: "nothing to change", changing: container)
        }
    }
}

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
        try await options.call(ValidateSchema(SchemaInput(text, for: container))) {
            $0.listing(whenNone: "nothing to change").noting(["schema is valid"])
        }
    }
}

struct SchemaDiff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what a file, or a deployment, would change.",
        discussion: """
            With a file: the parts that only the file has (+) and the parts that only the \
            container's schema has (-). Without a file: the changes that deploying development would \
            make in production.
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
            return try await options.call(DeploySchema(of: container, isTrial: true)) {
                $0.listing(whenNone: "nothing to deploy")
            }
        }
        let text = try SchemaFile.text(of: file)
        let input = SchemaInput(text, for: container, try place.environment)
        try await options.call(CompareSchema(input)) { $0.listing(whenNone: "the schemas are the same") }
    }
}
