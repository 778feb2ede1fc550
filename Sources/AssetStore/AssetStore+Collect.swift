import Records
import Synchronization
import _NIOFileSystem

extension AssetStore {
    /// Whether content from an abandoned adoption or a failed collection waits for `collect`. Call `collect`
    /// without checksums to examine it.
    package var isCollectionDue: Bool {
        claims.withLock { !$0.dueNow.isEmpty }
    }

    /// Deletes content that no record owns and no adoption pins, among the given checksums and the content
    /// that is due.
    ///
    /// Call it after the commit of the change that released the files. `ContentClaims` explains why a
    /// concurrent adoption cannot lose its file.
    ///
    /// - Parameter isUsed: Whether any record of the database owns the file now.
    /// - Throws: errors of `isUsed` and of the deletion. The content then stays due.
    package func collect(_ checksums: [String], isUsed: (String) async throws -> Bool) async throws {
        claims.withLock { claims in
            for content in checksums.compactMap(AssetChecksum.init(text:)) {
                claims.requestCollection(content)
            }
        }
        for content in claims.withLock({ $0.dueNow }) where claims.withLock({ $0.begin(content) }) {
            try await decide(content, isUsed: isUsed)
        }
    }

    private func decide(_ content: AssetChecksum, isUsed: (String) async throws -> Bool) async throws {
        var decision = ContentClaims<CheckedContinuation<Void, Never>>.Decision.askAgain
        while decision == .askAgain {
            do {
                let answer = try await isUsed(content.text)
                decision = claims.withLock { $0.decide(content, isUsed: answer) }
            } catch {
                claims.withLock { $0.giveUp(content) }
                throw error
            }
        }
        if decision == .delete { try await delete(content) }
    }

    private func delete(_ content: AssetChecksum) async throws {
        defer {
            for waiter in claims.withLock({ $0.endDeleting(content) }) { waiter.resume() }
        }
        do {
            try await translatingDiskErrors {
                _ = try await FileSystem.shared.removeItem(at: layout.path(of: content))
            }
        } catch {
            claims.withLock { $0.requestCollection(content) }
            throw error
        }
    }
}
