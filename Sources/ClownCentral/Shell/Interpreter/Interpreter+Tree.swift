// Owns doing the command that saves a tree of records.
import Cloudlet
import Foundation

extension Interpreter {
    /// Saves a show with two acts of two props each, the root first or, jumbled, last.
    func saveTree(_ name: String, isJumbled: Bool) async throws -> Answer {
        var items = program(of: name)
        if isJumbled { items.reverse() }
        let programs = ProgramRepository(database: container.publicCloudDatabase)
        let before = requests.count
        let tags = try await programs.save(items)
        let requests = requests.count - before
        let stored = try await programs.count(items)
        return Answer.tree(items, places: Self.places(of: tags), stored: stored, requests: requests)
    }

    private func program(of name: String) -> [ProgramItem] {
        let show = ProgramItem(id: identifiers.next("show"), title: name, depth: 0)
        var items = [show]
        for act in ["Juggling", "Tightrope"] {
            let act = ProgramItem(id: identifiers.next("act"), title: act, parentID: show.id, depth: 1)
            items.append(act)
            for prop in ["ladder", "drum roll"] {
                let title = "\(act.title): \(prop)"
                let id = identifiers.next("prop")
                items.append(ProgramItem(id: id, title: title, parentID: act.id, depth: 2))
            }
        }
        return items
    }

    /// The place of each record in the order of storing. This server's change tags count up, in letters and
    /// digits; an app would never look into them.
    private static func places(of tags: [String]) -> [Int] {
        let numbers = tags.map { Int($0, radix: 36) ?? 0 }
        return numbers.map { number in numbers.count { $0 <= number } }
    }
}
