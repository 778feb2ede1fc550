import Directory
import RecordStore
import Records
import Synchronization

/// Answers whether a container exists, from a cache in front of the directory, and creates containers of open
/// servers when they are first used.
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

    /// Throws `badContainer` unless requests may name the container. On an open server that is any container;
    /// one that does not exist is empty for readers.
    func checkUsable(_ name: String) async throws { _ = try await exists(name) }

    /// Creates a container that something is written to, or that somebody signs in to, if it does not exist
    /// and the server is open.
    ///
    /// Throws `badContainer` on other servers, and `limitExceeded` when there are too many containers.
    func createIfNeeded(_ name: String) async throws {
        try ContainerName.checkCharacters(of: name)
        if try cache.withLock({ known throws(RecordError) in try known.contains(name) }) { return }
        if try await exists(name) { return }
        let deletions = cache.withLock { $0.deletions }
        // Anybody may use any name on an open server, and each costs a row and files.
        let limit = context.limits.openServerContainers
        if try await context.directory.containers().count >= limit {
            throw RecordError(
                .limitExceeded, "an open server makes no more than \(limit) containers by itself",
                culprit: name, nextStep: "delete one, or make it with: cloudlet container create \(name)"
            )
        }
        try cache.withLock { known throws(RecordError) in try known.checkStays(name) }
        _ = try await context.directory.addContainer(name, at: context.runtime.now())
        context.provider.allow(DatabaseSelection(container: name))
        cache.withLock { $0.saw(name, after: deletions) }
    }

    /// Whether the container exists. Throws `badContainer` for one that does not, unless the server is open.
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
        cache.withLock { $0.saw(name, after: deletions) }
        return true
    }

    // MARK: Deletion

    /// Throws `tryAgainLater` for a container that is being deleted.
    func checkNotBeingDeleted(_ name: String) throws(RecordError) {
        try cache.withLock { cache throws(RecordError) in try cache.checkStays(name) }
    }

    /// Refuses requests to a container until `endDeletion`. Throws `tryAgainLater` for one that is being
    /// deleted already.
    func beginDeletion(of name: String) throws(RecordError) {
        try cache.withLock { cache throws(RecordError) in try cache.beginDeletion(of: name) }
    }

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
