import Cloudlet
import Foundation
import MirroredStore

/// Sharing with other people. It needs a connection to the server.
extension Device {
    /// Invites a person to read and edit a model, and all models that are related to it. Another invitation
    /// to the same model adds a person to its share. Returns the URL at which the person accepts; nil if
    /// there is no such model.
    func share(_ id: String, with address: String) async throws -> URL? {
        let store = repository.store
        guard let object = try await store.read({ try Repository.find(id, $0) }) else { return nil }
        var known = try await store.fetchShares(matching: [object])[object]
        if known == nil { known = try await store.share([object], to: nil).1 }
        guard let share = known else { return nil }
        let guest = try await cloud.shareParticipant(forEmailAddress: address)
        guest.permission = .readWrite
        share.addParticipant(guest)
        return try await store.persistUpdatedShare(share).url
    }

    /// Accepts the share at a URL. Its objects are among the shared ones from then on.
    func accept(_ url: URL) async throws {
        let metadata = try await cloud.shareMetadata(for: url)
        _ = try await withShared { try await $0.store.acceptShareInvitations(from: [metadata]) }
    }

    /// The models that other people share with the signed-in person, after a sync of them.
    func shared<Kind: Model>(_ type: Kind.Type) async throws -> [Kind] {
        try await withShared { others in
            _ = try await others.store.mirror()
            return try await others.all(type)
        }
    }

    /// Does work with the objects that other people share with the signed-in person. They are in a store of
    /// their own, because they belong to another database.
    func withShared<Value>(_ work: (Repository) async throws -> Value) async throws -> Value {
        var settings = settings
        settings.subscribes = false
        let store = try MirroredStore(
            folder: folder.appendingPathComponent("shared"), layout: try Repository.layout(),
            container: cloud, scope: .shared, settings: settings)
        defer { try? store.close() }
        return try await work(Repository(store: store))
    }
}
