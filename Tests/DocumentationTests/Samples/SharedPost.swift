import CloudKit
import Foundation
import MirroredStore

/// Shares a post with all objects that are related to it. Returns the URL for the guest.
func share(
    _ post: MirroredObject.ID, of store: MirroredStore, with address: String
) async throws -> URL? {
    let (_, share, container) = try await store.share([post], to: nil)
    share.addParticipant(try await container.shareParticipant(forEmailAddress: address))
    return try await store.persistUpdatedShare(share).url
}

/// Opens the store of the objects that others share with the person, and accepts an invitation.
func openSharedPosts(
    at url: URL, in folder: URL, _ layout: StoreLayout, of container: CKContainer,
    _ settings: MirroredStore.Settings
) async throws -> MirroredStore {
    let store = try MirroredStore(
        folder: folder, layout: layout, container: container, scope: .shared, settings: settings)
    try await store.acceptShareInvitations(from: [try await container.shareMetadata(for: url)])
    return store
}
