import AssetStore
import CloudHTTP
import CloudService
import Directory
import DirectorySQLite
import Foundation
import Hummingbird
import Logging
import RecordStore
import Records
import RecordsWire
import SQLiteSupport
import ServerData

/// Creates and connects the parts of a server on one data folder, without a listener.
final class ServerComposition: Sendable {
    let folder: DataFolder
    private let ephemeral: EphemeralStorage
    let service: CloudService
    let responder: CloudResponder
    let gate = OpenFlag()
    /// The injected faults; nil on a server that accepts none.
    let faults: FaultInjector?
    let operatorKey: String
    /// The server's clock.
    let clock: @Sendable () -> Date
    private let directory: any Directory
    let databases: DatabasePool
    private let telemetryStore: SQLiteTelemetryStore
    /// Threads for slow reads.
    private let threads: LowPriorityThreads
    /// Threads for decoding large bodies and encoding large answers.
    private let bodyThreads: LowPriorityThreads
    /// Sends pushes to Apple's devices; owned by this composition, ended by `close`.
    private let dispatching: Task<Void, Never>?
    /// Deletes uploaded files that no record refers to; owned by this composition, ended by `close`.
    private let housekeeping: Task<Void, Never>?
    /// Sends alerts to the operator; owned by this composition, ended by `close`.
    private let alerting: Task<Void, Never>?
    /// Stores the counts of requests; owned by this composition, ended by `close`.
    private let counting: Task<Void, Never>
    /// Sends the codes that verify addresses; owned by this composition, ended by `close`.
    private let codeSending: Task<Void, Never>?
    /// Follows the other nodes of the server; owned by this composition, ended by `close`.
    private let following: Task<Void, Never>
    /// Delivers the pushes that requests queue; owned by this composition, ended by `close`.
    private let delivering: Task<Void, Never>?

    init(_ given: ServerConfiguration) async throws {
        var configuration = given
        clock = configuration.clock
        let processors = ProcessInfo.processInfo.activeProcessorCount
        threads = LowPriorityThreads(count: max(2, processors))
        bodyThreads = LowPriorityThreads(count: max(1, processors / 2))
        let publicOrigin = try configuration.publicOrigin()
        let proxies = try configuration.proxies()
        let fallbackURL = try configuration.checkedFallbackURL()
        let alertRules = try configuration.alertRules()
        let name = RandomSource(seed: nil).bytes(8).hexadecimal
        folder =
            switch configuration.storage {
            case .temporary: try DataFolder(temporaryNamed: name)
            case .folder(let url): try DataFolder(url)
            }
        if folder.wasOpenToOthers {
            configuration.logger.notice(
                "other users of this machine could read the data folder; it is closed to them now",
                metadata: ["folder": "\(folder.url.path)"])
        }
        var (engine, assetEngine): ((any RecordStoreEngine)?, (any AssetEngine)?)
        var opened: (any Directory)?
        do {
            ephemeral = try await EphemeralStorage(for: &configuration, named: name)
        } catch {
            folder.release()
            throw error
        }
        do {
            let process = Int64(bitPattern: RandomSource(seed: nil).bytes(8).bigEndianNumber)
            engine = try await DatabaseEngines.records(of: configuration, process: process)
            let isNode = try await folder.bind(to: engine, as: name)
            assetEngine = try AssetEngines.engine(of: configuration)
            let node = try await AssetEngines.bind(folder, to: assetEngine, as: name)
            operatorKey = try folder.operatorFiles.key()
            let durability = configuration.durability
            directory =
                isNode
                ? try await DatabaseEngines.directory(of: configuration, process: process)
                : try SQLiteDirectory(file: folder.directoryFile, durability: durability)
            opened = directory
            if isNode, let installation = try await engine?.bind(to: nil) {
                try await AssetEngines.check(
                    hasBucket: assetEngine != nil, of: installation.identifier, directory)
            }
            let seed = try await Self.seed(of: configuration, on: directory)
            let runtime = ServerRuntime.make(configuration, seed: seed)
            databases = DatabasePool(
                folder: folder, engine: engine, isNode: isNode, assetEngine: assetEngine, node: node,
                durability: durability, runtime: runtime, limits: configuration.limits)
            // On a server that keeps its data and listens on the network, requests must not be able to inject
            // faults.
            faults = durability != .full || configuration.port == nil ? FaultInjector() : nil
            telemetryStore = folder.telemetryStore(configuration.limits)
            service = CloudService(
                directory: directory, databases: databases, codec: FieldJSON(), runtime: runtime,
                limits: configuration.limits, isOpen: configuration.isOpen,
                tokenKey: try await directory.secret(
                    named: "web-auth-tokens", candidate: runtime.randomBytes(32)),
                passwordCost: configuration.passwordCost, fallbackURL: fallbackURL,
                codeSender: configuration.sender, faults: faults,
                maintenance: FolderMaintenance(
                    of: folder, backups: configuration.backups, clock: configuration.clock),
                alertRules: alertRules, alertSender: configuration.alerting, telemetryStore: telemetryStore,
                threads: configuration.threads ?? threads.work,
                bodyThreads: configuration.bodyThreads ?? bodyThreads.work
            )
            if !configuration.isOpen { try await service.sessions.endOpenSessions() }
            let (data, open, engine, accounts) = (folder, gate, engine, directory)
            responder = configuration.responder(
                service, publicOrigin, proxies, OperatorKey(operatorKey),
                obstacle: {
                    open.isOpen
                        ? data.writeObstacle ?? engine?.obstacle ?? accounts.obstacle : .shuttingDown
                })
            dispatching = try Self.dispatching(configuration, service)
            housekeeping = Self.housekeeping(of: service)
            alerting = Self.alerting(of: service)
            codeSending = Self.codeSending(of: service)
            delivering = Self.delivering(for: service)
            let telemetry = service.telemetry
            counting = Task { await telemetry.run() }
            let nodes = service.nodes
            following = Task { await nodes.run() }
        } catch {
            // Close what has been opened.
            await assetEngine?.close()
            try? await opened?.close()
            await engine?.close()
            await ephemeral.delete()
            folder.release()
            if error is ServerError { throw error }
            throw ServerError(
                .databaseUnusable,
                "the data in \(folder.url.path) cannot be opened: \(DataBackup.reason(of: error))",
                nextStep:
                    "find the damaged file with: cloudlet doctor --data \(folder.url.path); "
                    + "restore it from a backup, or choose another folder"
            )
        }
    }

    /// The seed for this start; nil if the configuration has none.
    ///
    /// A server that starts again on its data must not draw the random numbers of an earlier start, because
    /// tokens and identifiers made of them are in use. So only the first start uses the configured seed; each
    /// later start derives another seed from it.
    private static func seed(
        of configuration: ServerConfiguration, on directory: any Directory
    ) async throws -> UInt64? {
        guard let seed = configuration.seed, case .folder = configuration.storage else {
            return configuration.seed
        }
        var starts: UInt64 = 0
        while true {
            let mark = RandomSource(seed: nil).bytes(8)
            let known = try await directory.secret(named: "seeded-start-\(starts)", candidate: mark)
            if known == mark { break }
            starts += 1
        }
        if starts == 0 { return seed }
        return RandomSource(seed: seed &+ starts).bytes(8).bigEndianNumber
    }

    /// Starts sending pushes to Apple's devices, if that is configured.
    private static func dispatching(
        _ configuration: ServerConfiguration, _ service: CloudService
    ) throws(ServerError) -> Task<Void, Never>? {
        guard let settings = configuration.applePush else { return nil }
        let dispatch = service.devices.dispatch(
            through: try settings.gateway(
                payloadLimit: configuration.limits.pushBytes, now: service.runtime.now))
        return Task { await dispatch.run() }
    }

    /// Starts deleting uploaded files that no record refers to.
    private static func housekeeping(of service: CloudService) -> Task<Void, Never>? {
        return Task { await service.assets.runHousekeeping() }
    }

    /// Starts watching the figures for alerts.
    private static func alerting(of service: CloudService) -> Task<Void, Never>? {
        return Task { await service.alerts.run() }
    }

    /// Starts sending the codes that verify addresses.
    private static func codeSending(of service: CloudService) -> Task<Void, Never>? {
        return Task { await service.addresses.runSending() }
    }

    /// Starts delivering the pushes that requests queue.
    private static func delivering(for service: CloudService) -> Task<Void, Never>? {
        return Task { await service.devices.runDelivery() }
    }

    /// Ends the open polls and streams for pushes, which otherwise wait for the next push.
    func closePushConnections() { service.pushHub.close() }

    func close() async {
        closePushConnections()
        dispatching?.cancel()
        housekeeping?.cancel()
        alerting?.cancel()
        counting.cancel()
        following.cancel()
        codeSending?.cancel()
        delivering?.cancel()
        await dispatching?.value
        await housekeeping?.value
        await alerting?.value
        await codeSending?.value
        await delivering?.value
        await counting.value
        await following.value
        if !folder.isTemporary { await service.telemetry.flush() }
        await telemetryStore.close()
        service.runtime.refusals.finish()
        await databases.close()
        try? await directory.close()
        await threads.close()
        await bodyThreads.close()
        await ephemeral.delete()
        folder.release()
    }
}

extension RecordError {
    /// The error of a readiness check while the server stops.
    fileprivate static let shuttingDown = RecordError(
        .tryAgainLater, "the server is shutting down", culprit: "server",
        nextStep: "send requests to another server, or wait until this one has started again",
        retryAfter: 10)
}

extension ServerConfiguration {
    /// Sends codes to addresses; nil if the configuration has no `codeSender`.
    fileprivate var sender: CodeSender? {
        guard let send = codeSender else { return nil }
        return { address, code in try await send(address.value, code) }
    }

    /// The failures that an acknowledged write survives. An ephemeral server that listens uses `process`
    /// rather than `none`, because it answers many clients at once, and only with `process` do reads have
    /// their own database connections.
    fileprivate var durability: Durability {
        guard case .temporary = storage else { return .full }
        return port == nil ? .none : .process
    }
}

extension Timestamp {
    /// The time, clamped to the years 1 to 9999: far enough from the limits of the type that differences and
    /// lifetimes never overflow.
    fileprivate var clamped: Timestamp {
        Timestamp(milliseconds: min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_999))
    }
}

extension ServerRuntime {
    /// The clock and random numbers of a server: from the system, or reproducible from a seed.
    fileprivate static func make(_ configuration: ServerConfiguration, seed: UInt64?) -> ServerRuntime {
        let source = RandomSource(seed: seed)
        let (clock, pause, idle) = (configuration.clock, configuration.pause, configuration.idle)
        let logger = configuration.logger
        return ServerRuntime(
            now: { Timestamp(clock(), rounded: .down).clamped },
            randomBytes: { source.bytes($0) },
            pause: { try await pause(.seconds($0)) },
            idle: { try await idle(.seconds($0)) },
            uptime: configuration.uptime,
            report: { logger.error("\($0)") },
            warn: { logger.warning("\($0)") }
        )
    }
}
