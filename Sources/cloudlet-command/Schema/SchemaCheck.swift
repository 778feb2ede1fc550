import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire

struct SchemaCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compare a schema file with the types, fields and indexes that were used.",
        usage: """
            cloudlet schema check app.ckdb --container iCloud.org.example.app
            cloudlet exec --schema app.ckdb -- swift test
            """,
        discussion: """
            Compares a file with the types and fields that were saved in a container and the indexes \
            that its queries needed, and fails if the file lacks one of them. A development server \
            records them from its start; run an app's tests against it first, or use cloudlet exec \
            for both.
            """
    )

    @OptionGroup var file: SchemaFile

    @Option(help: "The name of the container. Default: CLOUDLET_CONTAINER", completion: .containers)
    var container: String?

    @OptionGroup var place: EnvironmentOption

    @Flag(help: "Add the missing parts to the file, or create the file; comments are lost.")
    var mend = false

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        guard let name = try CommandSettings.settings(["container": container])["container"] else {
            throw ValidationError("Name the container: --container iCloud.org.example.app")
        }
        let check = try SchemaFileCheck(file: file.file, mends: mend)
        try await options.withOperator { client in
            try await check.run(client, name, place.environment, json: options.json)
        }
    }
}

/// Compares a schema file with the saves and queries that a server has logged.
struct SchemaFileCheck {
    private let file: String
    private let text: String
    private let mends: Bool

    /// Reads the schema file. A missing file counts as an empty schema if it is to be mended.
    ///
    /// - Throws: `RecordError` if the file cannot be read or contains no valid schema.
    init(file: String, mends: Bool) throws {
        self.file = file
        self.mends = mends
        let isNew = mends && file != "-" && !FileManager.default.fileExists(atPath: file)
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
                error.nextStep = "check its path, or have it made: the same command with --mend"
            } else if error.culprit != file {
                error.reason = "\(file): \(error.reason)"
            }
            throw error
        }
    }

    /// Prints the types, fields and indexes that the file lacks and, with `--mend`, adds them.
    ///
    /// - Throws: `ExitCode.failure` if the file still lacks a part.
    func run(
        _ client: OperatorClient, _ container: String, _ environment: CloudEnvironment,
        json: Bool = false
    ) async throws {
        let bytes = try await client.bytes(of: CheckSchema(SchemaInput(text, for: container, environment)))
        let report = try CheckSchema.Answer(bytes: bytes)
        let gaps = report.gaps
        if json { try StandardOutput.writeJSON(bytes) }
        for gap in gaps where !json { Messages.say(Self.line(gap)) }
        if gaps.isEmpty { return Messages.say("\(file) has all that was saved and asked for") }
        if mends, file != "-" {
            try Data(report.mended.utf8).writeForUser(
                to: URL(fileURLWithPath: file))
            if gaps.allSatisfy(\.gap.isMended) { return Messages.say("mended \(file)") }
            Messages.say("\(file) has fields of other types, which are yours to settle")
        } else {
            Messages.say("add it to \(file), or have it added: the same command with --mend")
        }
        throw ExitCode.failure
    }

    private static func line(_ item: SchemaGapsReport.Item) -> String {
        let reason = item.gap.reason
        return item.command.map { "\(reason); in the container: \($0)" } ?? reason
    }
}
