import Records
import Synchronization
import _NIOFileSystem

extension AssetStore {
    /// True when an abandoned or postponed collection waits for the next `collect`, which may be given no
    /// checksum.
    package var isCollectionDue: Bool {
        claims.withLock { !$0.dueNow.isEmpty }
    }

    /// Deletes those of the files, and of those that are due, that no record owns and no adoption holds.
    ///
    /// To be called after the change that let go of them is committed. `ContentClaims` says why a file that
    /// is being adopted at the same time cannot be lost.
    ///
    /// - Parameter isUsed: whether any record of the database owns the file, as of now.
    /// - Throws: what `isUsed` throws; whatever was not answered stays due.
    package func collect(_ checksums: [String], isUsed: (String) async throws -> Bool) async throws {
        claims.withLock { claims in
            for content in checksums.compactMap(AssetChecksum.init(text:)) { claims.wish(content) }
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
            claims.withLock { $0.wish(content) }
            throw error
        }
    }
}
