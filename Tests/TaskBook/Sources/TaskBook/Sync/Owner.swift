// Owns whose data a folder has, by name: what was typed without a network goes to nobody else later.
import Foundation
import LocalReplica

struct Owner: Sendable {
    let folder: URL

    /// The first person who was named there; nil: nobody was yet.
    var name: String? { try? String(contentsOf: file, encoding: .utf8) }

    private var file: URL { folder.appendingPathComponent("owner") }

    /// Throws for somebody else.
    func check(_ person: String?) throws {
        guard let name, let person, name != person else { return }
        throw Trouble(
            "\(folder.path) has the data of \(name), not of \(person): say --as \(name), or name "
                + "another folder for \(person) with --data")
    }

    /// Throws when it is not certain whose data would be read or sent. Once it was in step, the
    /// server knows that by itself.
    func check(_ person: String?, isSyncing: Bool, _ replica: LocalReplica) async throws {
        let wasInStep = try await replica.read { try $0.account() } != nil
        if wasInStep, !isSyncing, name == nil, let person {
            throw Trouble("is \(folder.path) \(person)'s? `--as \(person) sync` finds out")
        }
        if !wasInStep, isSyncing, person == nil, let name {
            throw Trouble("\(folder.path) has what \(name) typed: say --as \(name), or CLOUDLET_USER")
        }
    }

    /// Keeps the name, if it is the first.
    func keep(_ person: String?) throws {
        guard let person, name == nil else { return }
        try person.write(to: file, atomically: true, encoding: .utf8)
    }
}
