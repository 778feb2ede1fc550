import Records
import Synchronization

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
    /// - Returns: The given checksums for which nothing is decided yet: an adoption, a reader or another
    ///   collection uses the content. They stay due.
    /// - Throws: errors of `isUsed` and of the storage. The content then stays due.
    @discardableResult
    package func collect(
        _ checksums: [String], isUsed: (String) async throws -> Bool
    ) async throws -> Set<String> {
        let contents = checksums.compactMap(AssetChecksum.init(text:))
        claims.withLock { claims in
            for content in contents { claims.requestCollection(content) }
        }
        for content in claims.withLock({ $0.dueNow }) where claims.withLock({ $0.begin(content) }) {
            try await decide(content, isUsed: isUsed)
        }
        return claims.withLock { claims in
            Set(contents.filter { claims.isUndecided($0) }.map(\.text))
        }
    }

    private func decide(_ content: AssetChecksum, isUsed: (String) async throws -> Bool) async throws {
        // Most released content is still used, so a shared storage is prepared only after a first "no".
        var collection = storage.isShared ? nil : AssetCollection(of: content)
        var decision = ContentClaims<CheckedContinuation<Void, Never>>.Decision.askAgain
        do {
            while decision == .askAgain {
                let answer = try await isUsed(content.text)
                if collection == nil, !answer {
                    collection = try await storage.beginCollection(of: content)
                    if collection != nil { continue }
                    return claims.withLock { $0.giveUp(content) }
                }
                decision = claims.withLock { $0.decide(content, isUsed: answer) }
            }
        } catch {
            claims.withLock { $0.giveUp(content) }
            if let collection { await storage.end(collection) }
            throw error
        }
        guard let collection else { return }
        do {
            if decision == .delete { try await delete(collection) }
        } catch {
            await storage.end(collection)
            throw error
        }
        await storage.end(collection)
    }

    private func delete(_ collection: AssetCollection) async throws {
        defer {
            for waiter in claims.withLock({ $0.endDeleting(collection.content) }) { waiter.resume() }
        }
        do {
            try await storage.delete(collection)
        } catch {
            claims.withLock { $0.requestCollection(collection.content) }
            throw error
        }
    }
}
