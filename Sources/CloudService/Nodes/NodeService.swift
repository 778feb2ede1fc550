import Directory
import RecordStore
import Records
import Synchronization

/// Follows the changes of the other nodes of a server, so that this node's caches are up to date, the devices
/// that are connected to it get their pushes, and the requests of all nodes count for the same rates.
///
/// A change arrives a moment after the commit. Until then, a request at this node may still see the state
/// from before it.
package final class NodeService: Sendable {
    private let context: ServiceContext
    private let containerRegistry: ContainerRegistry
    private let schemaCache: SchemaCache
    private let quotas: QuotaService
    private let devices: DeviceService
    private let sessions: SessionService
    private let credentials: CredentialService
    private let rateLimiter: RateLimiter
    private let told = Mutex(ToldNotifications())

    /// Seconds after which the sizes of databases, which other nodes do not tell, are read again.
    private static let sizeSeconds = 60
    /// Seconds after which this node tells the others what it has counted for request rates.
    private static let rateSeconds = 1

    init(
        _ context: ServiceContext, containerRegistry: ContainerRegistry, schemaCache: SchemaCache,
        quotas: QuotaService, devices: DeviceService, sessions: SessionService,
        credentials: CredentialService, rateLimiter: RateLimiter
    ) {
        self.context = context
        self.containerRegistry = containerRegistry
        self.schemaCache = schemaCache
        self.quotas = quotas
        self.devices = devices
        self.sessions = sessions
        self.credentials = credentials
        self.rateLimiter = rateLimiter
    }

    /// Follows the other nodes until it is cancelled. Ends at once on a server without other nodes.
    package func run() async {
        guard context.provider.isNode else { return }
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { for await change in self.context.directory.changes { await self.follow(change) } }
            group.addTask {
                for await change in self.context.provider.changes {
                    await self.follow(change)
                    signal.yield()
                }
            }
            // Apart from the above, so that messages never wait in memory for pushes.
            group.addTask { for await _ in signals { await self.postTold() } }
            group.addTask {
                while (try? await self.context.runtime.idle(Self.sizeSeconds)) != nil {
                    self.quotas.clearCache()
                }
            }
            group.addTask {
                while (try? await self.context.runtime.idle(Self.rateSeconds)) != nil {
                    await self.tellOfRequests()
                }
            }
        }
    }

    private func follow(_ change: DirectoryChange) async {
        switch change {
        case .missed: await forget(container: nil)
        case .people:
            sessions.clearCache()
            quotas.clearCache()
        case .sessionsEnded(let hashes): sessions.refuse(hashes)
        case .device(let text, let place): await devices.refresh(text, in: place)
        case .credentials: credentials.clearCache()
        case .containerRemoved(let name): await forget(container: name)
        case .schema(let container): schemaCache.forget(container)
        }
    }

    /// Drops from the caches what they have of a container; nil: everything.
    private func forget(container name: String?) async {
        containerRegistry.forget(name)
        if let name { schemaCache.forget(name) } else { schemaCache.forget() }
        sessions.clearCache()
        credentials.clearCache()
        quotas.clearCache()
        await devices.clearCache()
    }

    private func follow(_ change: EngineChange) async {
        switch change {
        case .missed: devices.missPushes()
        case .removed(let name):
            if let key = DatabaseKey(text: name) { await context.provider.close(key) }
        case .notifications(let name, let number, let last):
            guard let key = DatabaseKey(text: name) else { return }
            if !told.withLock({ $0.add((number, last), in: key) }) { devices.missPushes() }
        case .told(let message): rateLimiter.follow(message)
        }
    }

    /// Without the engine, no node answers requests, so what it cannot tell is not told later.
    private func tellOfRequests() async {
        let messages = rateLimiter.messagesToNodes()
        if !messages.isEmpty { try? await context.provider.tellNodes(messages) }
    }

    private func postTold() async {
        while !Task.isCancelled, let (key, range) = told.withLock({ $0.next() }) {
            await devices.deliver(range, writtenIn: key)
        }
    }
}
