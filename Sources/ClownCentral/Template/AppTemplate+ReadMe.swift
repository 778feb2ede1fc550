// Owns the text of a new app's README: how to try it, and what a change of the model needs.
import CommandShell
import Foundation

extension AppTemplate {
    var readMe: String { tryIt + changes(to: entities[0]) + dependency }

    private var tryIt: String {
        let entity = entities[0]
        let words = entity.fields.map { "\($0.name)=\($0.example.typed)" }.joined(separator: " ")
        return """
            # \(name)

            Every device has all data, with or without a network; `sync` brings them in step. The first build
            takes some minutes, since it makes Cloudlet, too.

            ```
            swift test
            swift run cloudlet serve --ephemeral --port 8080
            ```

            While that server runs, in a second terminal:

            ```
            swift run \(name) --as alice --data ./phone \(entity.command) add \(words)
            swift run \(name) --as alice --data ./phone sync
            swift run \(name) --as alice --data ./tablet sync
            swift run \(name) --as alice --data ./tablet \(entity.command) list
            ```

            `swift run \(name) --help` tells of the rest. A folder has the data of one person. Another server
            is named by `CLOUDLET_URL`; below `swift run cloudlet exec -- …` nobody need sign in: the server,
            the container and a person's session are in the environment.

            - `Model/`: plain values, which import nothing of the cloud.
            - `Repository/`: models to records and back. Fields that this version knows nothing of are kept.
            - `Sync/`: the copy on the device, and what becomes of fields that two devices changed.
            - `Shell/`: the command line.


            """
    }

    private func changes(to entity: EntitySpec) -> String {
        let names = entity.fields.map(\.name)
        func added(_ candidates: [String], _ kind: EntitySpec.Kind) -> String {
            let name = candidates.first { !names.contains($0) } ?? "another"
            return addition(EntitySpec.Field(name: name, kind: kind), to: entity)
        }
        let field = entity.fields[0]
        return """
            ## Changing the model

            A new property is a line in each place that is named here; `swift test` names a property that was
            forgotten in one of them. A whole number, which the record has as `Int64`:

            ```swift
            \(added(["priority", "rank", "level"], .int))
            ```

            A date, which may be missing:

            ```swift
            \(added(["until", "starts", "due"], .date))
            ```

            **Another name**: rename the property, but keep its key in the mapper, both times it stands there;
            with a new key, what was saved before, and what older versions save, would look empty:

            ```swift
            \(renamed(field).reading)
            \(renamed(field).writing)
            ```

            **Taking one away**: remove its lines. Records keep the value, and older versions show it.


            """
    }

    /// The lines for a new field, each below the name of its file.
    func addition(_ field: EntitySpec.Field, to entity: EntitySpec) -> String {
        """
        // Sources/\(name)/Model/\(entity.name).swift
        \(field.declaration)
        // Sources/\(name)/Repository/\(entity.name)+Record.swift: init, then write
        \(field.reading)
        \(field.writing)
        // Sources/\(name)/Shell/\(entity.name)+Text.swift: set, then line
        \(field.typing)
        \(field.telling)
        // Tests/\(name)Tests/\(name)Tests.swift: filled\(entity.name)
        \(field.filling)
        """
    }

    /// The mapper's lines when the property has another name and its key is the same.
    func renamed(_ field: EntitySpec.Field) -> (reading: String, writing: String) {
        let other = EntitySpec.Field(name: field.name + "Now", kind: field.kind)
        let (key, wrong) = ("record[field: \"\(field.name)\"]", "record[field: \"\(other.name)\"]")
        return (other.reading.replacing(wrong, with: key), other.writing.replacing(wrong, with: key))
    }

    private var dependency: String {
        let place =
            cloudlet.contains("://")
            ? "It is built with Cloudlet from \(cloudlet)."
            : """
            It is built with Cloudlet in the folder of this machine that `Package.swift` names. On another one
            name that folder there, or the address of a repository:
            `.package(url: "https://…/cloudlet", branch: "main")`.
            """
        return "## Cloudlet\n\n\(place)\n"
    }
}
