import ArgumentParser
import Foundation
import Records
import RecordsWire

struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Read, replace, compare and deploy schemas.",
        usage: """
            cloudlet schema export iCloud.org.example.app > app.ckdb
            cloudlet schema import iCloud.org.example.app app.ckdb
            cloudlet schema deploy iCloud.org.example.app
            """,
        discussion: """
            A schema defines the record types with their fields and indexes, and the permissions of \
            roles. In development, saving a record adds its new types and fields. Production has \
            only the deployed schema and rejects other types and fields.
            """,
        subcommands: [
            SchemaExport.self, SchemaImport.self, SchemaValidate.self, SchemaDiff.self, SchemaCheck.self,
            SchemaFromModel.self, SchemaIndex.self, SchemaGrant.self, SchemaDelete.self, SchemaDeploy.self,
            SchemaReset.self,
        ]
    )
}

/// The argument for a schema file.
struct SchemaFile: ParsableArguments {
    @Argument(
        help: "A file in the schema language (.ckdb); - reads standard input.",
        completion: .file(extensions: ["ckdb"]))
    var file: String

    /// The text of the file.
    func text() throws -> String {
        try Self.text(of: file)
    }

    static func text(of file: String) throws -> String {
        let bytes =
            file == "-"
            ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: file)
        guard let bytes else {
            throw RecordError(
                .notFound, "the schema file cannot be read", culprit: file,
                nextStep: "check its path and permissions"
            )
        }
        if let text = String(bytes: bytes, encoding: .utf8) { return text }
        throw RecordError(
            .badRequest, "the schema file is not in UTF-8", culprit: file, nextStep: "save it as UTF-8"
        )
    }
}

extension SchemaChange {
    /// The differences, one per line.
    ///
    /// - Parameter container: the container whose development schema has changed, for a note; nil: no note.
    func listing(whenNone: String, changing container: String? = nil) -> Listing {
        if differences.isEmpty { return Listing(notes: [whenNone]) }
        let notes = container.map { [CloudEnvironment.development.note(on: $0)] }
        return Listing(lines: lines, notes: notes ?? [])
    }

    var lines: [String] { differences.map(\.text) }
}
