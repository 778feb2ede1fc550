import Cloudlet
import Foundation
import MirroredStore

/// A person's posts, drafts and measured positions on one device, each kind in its own store.
///
/// Only posts are mirrored in the person's private database. `publish` turns a draft into a post, and
/// `uploadWalk` combines positions into a walk of a post. Each needs two transactions: the first changes the
/// post, the second deletes the draft or the positions. If the app ends between them, the same call completes
/// the work.
struct PostRepository: Sendable {
    let posts: PostStore
    let drafts: DraftStore
    let places: PlaceStore

    /// Opens the stores in a folder, and creates them if necessary.
    ///
    /// - Throws: `MirroredStoreError`.
    init(folder: URL, container: CKContainer, settings: MirroredStore.Settings) throws {
        posts = try PostStore(
            folder: folder.appendingPathComponent("posts"), container: container, settings: settings)
        drafts = try DraftStore(folder: folder.appendingPathComponent("drafts"), settings: settings)
        places = try PlaceStore(folder: folder.appendingPathComponent("places"), settings: settings)
    }

    /// Turns a draft into a post.
    func publish(_ draft: Draft, tags: [String], at now: Date) async throws -> Post {
        let post = try await posts.add(draft.title, draft.content, written: now, tags: tags, key: draft.id)
        try await drafts.delete(draft.id)
        return post
    }

    /// Stores positions that were measured while a post was written. Returns the number of the post's
    /// positions.
    func add(_ measured: [Coordinate], to post: Post.ID) async throws -> Int {
        let post = try await posts.post(post)
        return try await places.add(measured, to: post.id)
    }

    /// Combines the measured positions into one walk, and stores it in the post. Throws `PostError` if there
    /// is no position.
    func uploadWalk(of post: Post.ID) async throws -> Post {
        guard let walk = Walk(try await places.places(of: post)) else { throw PostError.noPlaces(post: post) }
        let changed = try await posts.set(walk, of: post)
        try await places.delete(of: post)
        return changed
    }

    /// Deletes a post with its attachments and positions. Returns the number of deleted objects without the
    /// positions, and a closure that restores all of them.
    func delete(_ post: Post.ID) async throws -> (count: Int, restore: @Sendable () async throws -> Void) {
        let measured = try await places.places(of: post)
        let deleted = try await posts.delete(post)
        try await places.delete(of: post)
        return (
            deleted.count,
            {
                try await posts.restore(deleted)
                if !measured.isEmpty { _ = try await places.add(measured, to: post) }
            }
        )
    }

    /// Deletes everything on this device, including unsent changes.
    func deleteLocalData() async throws {
        for store in [posts.store, drafts.store, places.store] { try await store.deleteLocalData() }
    }
}
