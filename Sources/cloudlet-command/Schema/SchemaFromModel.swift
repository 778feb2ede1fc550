import ArgumentParser
import CommandShell
import Foundation
import ObjectModel
import Records
import RecordsWire

struct SchemaFromModel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "from-model",
        abstract: "Print the schema (.ckdb) of a mirrored Core Data model.",
        usage: """
            cloudlet schema from-model App.xcdatamodeld --configuration Cloud > app.ckdb
            cloudlet schema import iCloud.org.example.app app.ckdb
            """,
        discussion: """
            Reads the current version of a data model, checks the rules of mirrored models, and prints \
            all record types that its stores can need: a type for each root entity, a field for \
            each attribute, an asset field for each that can be long, and CDMR if a relationship leads \
            to many objects on both sides. It needs no server.
            """
    )

    @Argument(
        help: "The data model: X.xcdatamodeld, or one version of it, X.xcdatamodel.",
        completion: .directory)
    var model: String

    @Option(help: "Print only the entities of this configuration.")
    var configuration: String?

    func run() throws {
        let schema = try ModelSchema(path: model, configuration: configuration).schema
        try StandardOutput.write(schema.text)
    }
}

/// The schema of a mirrored data model. Creating it prints the warnings, and all rules that the model breaks.
struct ModelSchema {
    let schema: Schema

    /// - Throws: `RecordError` if the model cannot be read or breaks a rule of mirrored models.
    init(path: String, configuration: String?, json: Bool = false) throws {
        do {
            let model = try ModelFile(at: URL(fileURLWithPath: path))
            if !json {
                for warning in model.warnings { Messages.say("warning: " + warning) }
                if configuration == nil, !model.configurations.isEmpty {
                    let names = model.configurations.map(\.name).joined(separator: ", ")
                    Messages.say(
                        "warning: \(model.name): all entities are included; choose a configuration with "
                            + "--configuration: \(names)")
                }
            }
            let problems = model.problems(configuration: configuration, isMirrored: true)
            if let last = problems.last {
                for problem in problems.dropLast() where !json { Messages.say("\(problem)") }
                throw last
            }
            schema = try model.layout(configuration: configuration).schema
        } catch let error as MirroredStoreError {
            throw RecordError(.badRequest, error.reason, culprit: error.culprit, nextStep: error.nextStep)
        }
    }
}
