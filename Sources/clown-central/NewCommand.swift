import ArgumentParser
import ClownCentral
import Foundation

struct NewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create a small app that works offline and syncs, with a shell and tests of its own.",
        discussion: """
            Example:
              clown-central new TaskBook --entity Task:title,done:bool,due:date
              cd TaskBook && swift test

            A field without a type is text; other types are bool, int, real, date, photo,
            list(text), ref(ENTITY) and refs(ENTITY). Deleting an entity deletes those that
            refer to it by ref, not those that refer to several by refs:
              --entity Room:name --entity 'Plant:name,room:ref(Room),friends:refs(Plant)'

            With --mirrored, the app keeps objects with relationships in a store that
            mirrors itself in the form of Core Data's records.
            """
    )

    @Argument(help: "The name of the app and of its new folder.")
    var name: String

    @Option(parsing: .singleValue, help: "An entity and its fields; may be repeated.")
    var entity: [String]

    @Flag(help: "Keep objects in a mirrored store, in place of records in a replica.")
    var mirrored = false

    @Option(help: "Cloudlet's package: a folder or a URL. Default: the package that built this program.")
    var cloudlet: String?

    @ParentCommand var shell: ClownCentralCommand

    func validate() throws { try shell.refuseFlags(except: [], in: "new") }

    @MainActor
    func run() async throws {
        throw ExitCode(
            ClownCentralApp(machine: .current).makeApp(
                name, entities: entity, isMirrored: mirrored, cloudlet: cloudlet))
    }
}
