import Cloudlet
import CloudletShell
import CommandShell
import Foundation

/// The command `tree save`, which saves a tree of records in one batch.
struct TreeCommands {
    let app: AppSession

    var save: CommandSpec {
        CommandSpec(
            ["tree", "save"],
            group: "Operations",
            summary: "save a show with its acts and their props, a tree of records, in one batch",
            arguments: [ArgumentSpec("NAME", .text)],
            flags: [FlagSpec("jumbled", "", .nothing, "send the records in reverse order, the show last")],
            details: """
                Every record refers to its parent, and is deleted with it.
                The answer shows in which order the records were sent, and in which they were stored.
                """,
            examples: ["tree save \"Evening Show\" --jumbled"]
        ) { arguments in
            let (name, isJumbled) = (try arguments.name("NAME"), arguments.has("jumbled"))
            return .work { try await save(name, isJumbled: isJumbled) }
        }
    }

    /// Saves a show with two acts of two props each: parents first, or in reverse order with `isJumbled`.
    private func save(_ name: String, isJumbled: Bool) async throws -> Answer {
        var items = await program(of: name)
        if isJumbled { items.reverse() }
        let programs = ProgramRepository(database: await app.publicDatabase)
        let counter = app.cloud.requests
        let before = counter.count
        let tags = try await programs.save(items)
        let requests = counter.count - before
        let stored = try await programs.count(items)
        return Answer.tree(items, places: Self.places(of: tags), stored: stored, requests: requests)
    }

    private func program(of name: String) async -> [ProgramItem] {
        let show = ProgramItem(id: await app.cloud.makeIdentifier("show"), title: name, depth: 0)
        var items = [show]
        for act in ["Juggling", "Tightrope"] {
            let id = await app.cloud.makeIdentifier("act")
            let act = ProgramItem(id: id, title: act, parentID: show.id, depth: 1)
            items.append(act)
            for prop in ["ladder", "drum roll"] {
                let title = "\(act.title): \(prop)"
                let id = await app.cloud.makeIdentifier("prop")
                items.append(ProgramItem(id: id, title: title, parentID: act.id, depth: 2))
            }
        }
        return items
    }

    /// The rank of each record in the order in which the server stored it. This decodes the change tags,
    /// which this server counts up in base 36; an app must treat change tags as opaque.
    private static func places(of tags: [String]) -> [Int] {
        let numbers = tags.map { Int($0, radix: 36) ?? 0 }
        return numbers.map { number in numbers.count { $0 <= number } }
    }
}
