import Directory
import RecordStore
import Records
import Synchronization

/// Answers whether a container exists, from a cache in front of the directory. On an open server, creates
/// containers when they are first used.
final class ContainerRegistry: Sendable {
    private let context: ServiceContext
    private let cache = Mutex(ContainerCache())

    init(_ context: ServiceContext) {
        self.context = context
    }

    /// Throws `badContainer` for a container that does not exist.
    func checkExists(_ name: String) async throws {
        try ContainerName.checkCharacters(of: name)
        if try cache.withLock({ known throws(RecordError) in try known.contains(name) }) { return }
        guard try await context.directory.container(name) != nil else { throw RecordError.noContainer(name) }
    }

    /// Whether a container is known to exist, without asking the directory.
    func isCached(_ name: String) -> Bool { cache.withLock { (try? $0.contains(name)) == true } }

    /// Throws `badContainer` unless requests may name the container. An open server accepts every valid name;
    /// a container that does not exist is empty for readers.
    func checkUsable(_ name: String) async throws { _ = try await exists(name) }

    /// Creates a missing container on an open server. To be called before a write or a sign-in.
    ///
    /// Throws `badContainer` on other servers, and `limitExceeded` when there are too many containers.
    func createIfNeeded(_ name: String) async throws {
        try ContainerName.checkCharacters(of: name)
        if try cache.withLock({ known throws(RecordError) in try known.contains(name) }) { return }
        if try await exists(name) { return }
        let deletions = cache.withLock { $0.deletions }
        // On an open server anybody may use any name, and each container costs a row and files.
        let limit = context.limits.openServerContainers
        if try await context.directory.containers().count >= limit {
            throw RecordError(
                .limitExceeded, "an open server makes no more than \(limit) containers by itself",
                culprit: name, nextStep: "delete one, or make it with: cloudlet container create \(name)"
            )
        }
        try cache.withLock { known throws(RecordError) in try known.checkNotBeingDeleted(name) }
        _ = try await context.directory.addContainer(name, at: context.runtime.now())
        context.provider.allow(DatabaseSelection(container: name))
        cache.withLock { $0.insert(name, readAfter: deletions) }
    }

    /// Whether the container exists. If it does not, throws `badContainer` unless the server is open.
    private func exists(_ name: String) async throws -> Bool {
        try ContainerName.checkCharacters(of: name)
        let (isKnown, deletions) = try cache.withLock { known throws(RecordError) in
            (try known.contains(name), known.deletions)
        }
        if isKnown { return true }
        if try await context.directory.container(name) == nil {
            _ = try ContainerName(name)
            guard context.isOpen else { throw RecordError.noContainer(name) }
            return false
        }
        cache.withLock { $0.insert(name, readAfter: deletions) }
        return true
    }

    // MARK: Deletion

    /// Throws `tryAgainLater` for a container that is being deleted.
    func checkNotBeingDeleted(_ name: String) throws(RecordError) {
        try cache.withLock { cache throws(RecordError) in try cache.checkNotBeingDeleted(name) }
    }

    /// Refuses requests to a container until `endDeletion`. Throws `tryAgainLater` if it is already being
    /// deleted.
    func beginDeletion(of name: String) throws(RecordError) {
        try cache.withLock { cache throws(RecordError) in try cache.beginDeletion(of: name) }
    }

    /// Drops a container from the cache, which another node of the server may have removed; nil: all.
    func forget(_ name: String?) { cache.withLock { $0.forget(name) } }

    func endDeletion(of name: String) { cache.withLock { $0.endDeletion(of: name) } }
}

extension RecordError {
    /// The error for a container that the server does not have.
    static func noContainer(_ name: String) -> RecordError {
        RecordError(
            .badContainer, "the container is not known", culprit: name,
            nextStep: "check its name; the operator makes it with: cloudlet container create \(name)"
        )
    }
}
