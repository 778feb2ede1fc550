import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire

struct SchemaCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compare schema files with what an app used, or with its data model.",
        usage: """
            cloudlet schema check app.ckdb --container iCloud.org.example.app
            cloudlet exec --schema app.ckdb -- swift test
            cloudlet schema check --model App.xcdatamodeld development.ckdb production.ckdb
            """,
        discussion: """
            Without --model: compares a file with the types and fields that were saved in a container \
            and the indexes that its queries needed, and fails if the file lacks one of them. A \
            development server records them from its start; run an app's tests against it first, or \
            use cloudlet exec for both.

            With --model: compares exported schemas with the record types of a mirrored Core Data \
            model, and fails if a file lacks a type, a field or the asset field for long values. It \
            needs no server, so that a release can be stopped before production refuses its records.
            """
    )

    @Argument(
        help: "Files in the schema language (.ckdb), several with --model; - reads standard input.",
        completion: .file(extensions: ["ckdb"]))
    var files: [String]

    @Option(help: "The name of the container. Default: CLOUDLET_CONTAINER", completion: .containers)
    var container: String?

    @OptionGroup var place: EnvironmentOption

    @Option(
        help: "The data model to compare with: X.xcdatamodeld, or one version of it.",
        completion: .directory)
    var model: String?

    @Option(help: "With --model: compare only with the entities of this configuration.")
    var configuration: String?

    @Flag(help: "Add the missing parts to the file, or create the file; comments are lost.")
    var repair = false

    @OptionGroup var options: OperatorOptions

    func validate() throws {
        if model != nil {
            let isAboutServer =
                container != nil || place.given != nil || options.server != nil || options.data != nil
            if isAboutServer {
                throw ValidationError(
                    "--model needs no server; leave out --container and the server's options.")
            }
        } else if configuration != nil {
            throw ValidationError("--configuration belongs to a data model: --model X.xcdatamodeld")
        } else if files.count > 1 {
            throw ValidationError("Name one file; only --model compares several.")
        }
    }

    func run() async throws {
        if let model {
            let schema = try ModelSchema(path: model, configuration: configuration, json: options.json).schema
            let checks = try files.map { try SchemaFileCheck(file: $0, repairs: repair) }
            let areWhole = try checks.map { try $0.isWhole(for: schema, of: model, json: options.json) }
            if areWhole.contains(false) { throw ExitCode.failure }
            return
        }
        guard let name = try CommandSettings.settings(["container": container])["container"] else {
            throw ValidationError("Name the container: --container iCloud.org.example.app")
        }
        let check = try SchemaFileCheck(file: files[0], repairs: repair)
        try await options.withOperator { client in
            try await check.run(client, name, place.environment, json: options.json)
        }
    }
}

/// Compares a schema file with the saves and queries that a server has logged, or with a data model.
struct SchemaFileCheck {
    private let file: String
    private let text: String
    private let repairs: Bool

    /// Reads the schema file. With `repairs`, a missing file counts as an empty schema.
    ///
    /// - Throws: `RecordError` if the file cannot be read or contains no valid schema.
    init(file: String, repairs: Bool) throws {
        self.file = file
        self.repairs = repairs
        let isNew = repairs && file != "-" && !FileManager.default.fileExists(atPath: file)
        text = isNew ? "DEFINE SCHEMA" : try Self.text(of: file)
    }

    /// The text of a schema file. The errors name the file and how to create it.
    private static func text(of file: String) throws -> String {
        do {
            let text = try SchemaFile.text(of: file)
            _ = try SchemaSource(text: Array(text.utf8))
            return text
        } catch var error as RecordError {
            if error.code == .notFound {
                error.nextStep = "check its path, or create it: the same command with --repair"
            } else if error.culprit != file {
                error.reason = "\(file): \(error.reason)"
            }
            throw error
        }
    }

    /// Prints the types, fields and indexes that the file lacks and, with `--repair`, adds them.
    ///
    /// - Throws: `ExitCode.failure` if the file still lacks a part.
    func run(
        _ client: OperatorClient, _ container: String, _ environment: CloudEnvironment,
        json: Bool = false
    ) async throws {
        let bytes = try await client.bytes(of: CheckSchema(SchemaInput(text, for: container, environment)))
        if json { try StandardOutput.writeJSON(bytes) }
        let isWhole = try say(
            try CheckSchema.Answer(bytes: bytes), json: json,
            whenWhole: "\(file) has everything that was saved and queried",
            next: "add it to \(file), or let the same command add it with --repair")
        if !isWhole { throw ExitCode.failure }
    }

    /// Prints the types and fields that the file lacks for a data model and, with `--repair`, adds them.
    /// Returns whether the file now has all of them.
    func isWhole(for model: Schema, of path: String, json: Bool) throws -> Bool {
        var gaps = SchemaGaps(schema: try Schema(text: text), basis: .model)
        gaps.requireAll(of: model)
        let report = SchemaGapsReport(
            gaps: gaps.list.map { SchemaGapsReport.Item($0, command: nil) }, repaired: gaps.schema.text)
        if json { try StandardOutput.writeJSON(report.encoded()) }
        return try say(
            report, json: json, prefix: "\(file): ",
            whenWhole: "\(file) has all record types and fields of \(path)",
            next: """
                add them to the schema of development (the same command with --repair, then cloudlet schema \
                import; in CloudKit, initializeCloudKitSchema), then deploy it to production
                """)
    }

    /// Prints a report and, with `--repair`, adds the missing parts to the file. Returns whether the file now
    /// lacks nothing.
    private func say(
        _ report: SchemaGapsReport, json: Bool, prefix: String = "", whenWhole: String, next: String
    ) throws -> Bool {
        let gaps = report.gaps
        for gap in gaps where !json { Messages.say(prefix + Self.line(gap)) }
        if gaps.isEmpty {
            Messages.say(whenWhole)
            return true
        }
        guard repairs, file != "-" else {
            Messages.say(next)
            return false
        }
        try Data(report.repaired.utf8).writeForUser(to: URL(fileURLWithPath: file))
        let isRepaired = gaps.allSatisfy(\.gap.isRepaired)
        Messages.say(
            isRepaired ? "repaired \(file)" : "\(file) has fields of other types, which you must resolve")
        return isRepaired
    }

    private static func line(_ item: SchemaGapsReport.Item) -> String {
        let reason = item.gap.reason
        return item.command.map { "\(reason); in the container: \($0)" } ?? reason
    }
}
