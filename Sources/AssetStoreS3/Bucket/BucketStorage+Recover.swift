import AssetStore
import Foundation
import Records

extension BucketStorage {
    /// The age after which an upload counts as one that no record will adopt, in seconds. Its receipt expires
    /// much earlier.
    private static let uploadLifetime: TimeInterval = 24 * 3600

    /// Deletes the incomplete uploads and the marks of this node's earlier processes, and everything of other
    /// nodes that is old. Examines the contents to which these belonged.
    ///
    /// A complete upload stays until it is old, whoever received it: its receipt is valid at all nodes, and a
    /// node that is killed must not take it along.
    package func recover(isUsed: (String) async throws -> Bool) async throws {
        async let uploads = orphanedUploads()
        async let marks = orphanedMarks()
        async let parts: Void = abortUploads()
        let orphans = try await (uploads, marks, parts)
        for content in orphans.0.contents.union(orphans.1.contents) {
            if try await isUsed(content.text) { continue }
            guard let collection = try await beginCollection(of: content) else { continue }
            do {
                if try await !isUsed(content.text) { try await delete(collection) }
            } catch {
                await end(collection)
                throw error
            }
            await end(collection)
        }
        // Last, so that they are found again if this is interrupted.
        for key in orphans.0.keys + orphans.1.keys { try await bucket.delete(key) }
    }

    private struct Orphans: Sendable {
        var keys: [String] = []
        var contents: Set<AssetChecksum> = []
    }

    private func orphanedUploads() async throws -> Orphans {
        var orphans = Orphans()
        try await bucket.forEach(layout.incoming) { object in
            let isOld = now().timeIntervalSince(object.changedAt) > Self.uploadLifetime
            let content = layout.content(ofUpload: object.key)
            guard isOld || content == nil && layout.isOwnUpload(object.key) else { return }
            orphans.keys.append(object.key)
            if let content { orphans.contents.insert(content) }
        }
        return orphans
    }

    private func orphanedMarks() async throws -> Orphans {
        var orphans = Orphans()
        try await bucket.forEach(layout.marks) { object in
            guard let mark = layout.mark(object.key), mark.isOwn || isStale(mark, since: object.changedAt)
            else { return }
            orphans.keys.append(object.key)
            orphans.contents.insert(mark.content)
        }
        return orphans
    }

    private func abortUploads() async throws {
        for upload in try await bucket.partedUploads(layout.incoming) {
            let isOld = now().timeIntervalSince(upload.beganAt) > Self.uploadLifetime
            if layout.isOwnUpload(upload.key) || isOld { try await bucket.abort(upload) }
        }
    }
}
