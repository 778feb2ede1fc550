import AssetStore
import CloudHTTP
import CloudService
import Foundation
import Hummingbird
import Logging
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire

/// All rooms of the server side on one data folder, without a listener.
final class House: Sendable {
    let folder: DataFolder
    let service: CloudService
    let responder: CloudResponder
    let gate = Gate()
    let faults = FaultDesk()
    let operatorKey: String
    /// What the server takes for the time.
    let clock: @Sendable () -> Date
    private let directory: any Directory
    private let shelf: DatabaseShelf
    /// Where slow reads run.
    private let threads: LowPriorityThreads
    /// Where large bodies and answers are worked on.
    private let bodyThreads: LowPriorityThreads
    /// Sends pushes to Apple's devices; owned by this house, ended by `close`.
    private let dispatching: Task<Void, Never>?
    /// Throws away files that no record took; owned by this house, ended by `close`.
    private let housekeeping: Task<Void, Never>?

    init(_ configuration: ServerConfiguration) async throws {
        clock = configuration.clock
        let processors = ProcessInfo.processInfo.activeProcessorCount
        threads = LowPriorityThreads(count: max(2, processors))
        bodyThreads = LowPriorityThreads(count: max(1, processors / 2))
        let publicOrigin = try configuration.publicOrigin()
        let proxies = try configuration.proxies()
        let name = RandomSource(seed: nil).bytes(8).hexadecimal
        folder = try DataFolder(configuration.storage, temporaryName: name)
        folder.tellIfItWasOpen(configuration.logger)
        do {
            operatorKey = try folder.operatorFiles.key()
            let seams = Seams.make(configuration)
            let durability = configuration.durability
            directory = try SQLiteDirectory(file: folder.directoryFile, durability: durability)
            shelf = DatabaseShelf(
                folder: folder, durability: durability, seams: seams, limits: configuration.limits)
            service = CloudService(
                directory: directory, databases: shelf, codec: FieldJSON(), seams: seams,
                limits: configuration.limits, isOpen: configuration.isOpen,
                takesFaults: durability != .full || configuration.port == nil,
                tokenKey: try await directory.secret(
                    named: "web-auth-tokens", candidate: seams.randomBytes(32)),
                passwordCost: configuration.passwordCost, faults: faults,
                threads: configuration.threads ?? threads.work,
                bodyThreads: configuration.bodyThreads ?? bodyThreads.work
            )
            if !configuration.isOpen { try await service.endOpenSessions() }
            responder = configuration.responder(service, publicOrigin, proxies, OperatorKey(operatorKey))
            dispatching = try Self.dispatching(configuration, service)
            housekeeping = Self.housekeeping(of: service)
        } catch let error as ServerError {
            folder.release()
            throw error
        } catch {
            folder.release()
            throw ServerError(
                .databaseUnusable, "the data in \(folder.url.path) cannot be opened: \(error)",
                nextStep: "cloudlet doctor --data \(folder.url.path) says which file; restore it from a "
                    + "backup, or choose another folder"
            )
        }
    }

    /// Begins to send pushes to Apple's devices, if that is wanted.
    private static func dispatching(
        _ configuration: ServerConfiguration, _ service: CloudService
    ) throws(ServerError) -> Task<Void, Never>? {
        guard let settings = configuration.applePush else { return nil }
        let dispatch = service.dispatch(
            through: try settings.gateway(
                payloadLimit: configuration.limits.pushBytes, now: service.seams.now))
        return Task { await dispatch.run() }
    }

    /// Begins to throw away what no record took.
    private static func housekeeping(of service: CloudService) -> Task<Void, Never>? {
        return Task { await service.keepHouse() }
    }

    /// Ends what waits for pushes, which would wait for ever.
    func quieten() { service.pushes.close() }

    func close() async {
        quieten()
        dispatching?.cancel()
        housekeeping?.cancel()
        await dispatching?.value
        await housekeeping?.value
        await shelf.close()
        try? await directory.close()
        await threads.close()
        await bodyThreads.close()
        folder.release()
    }
}

extension ServerConfiguration {
    /// What an acknowledged write survives. Servers that listen serve several connections at once, so their
    /// reads need database connections of their own, which `none` has not.
    fileprivate var durability: SQLiteStore.Durability {
        guard case .temporary = storage else { return .full }
        return port == nil ? .none : .process
    }
}

extension Timestamp {
    /// The nearest time of the years that a server reckons with, 1 to 9999: far enough from the ends of the
    /// range that differences and lifetimes always fit.
    fileprivate var ofServer: Timestamp {
        Timestamp(milliseconds: min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_999))
    }
}

extension Seams {
    /// Time and chance as a server takes them: from the system, or reproducible from a seed.
    fileprivate static func make(_ configuration: ServerConfiguration) -> Seams {
        let source = RandomSource(seed: configuration.seed)
        let (clock, pause, idle) = (configuration.clock, configuration.pause, configuration.idle)
        let logger = configuration.logger
        return Seams(
            now: { Timestamp(clock(), rounded: .down).ofServer },
            randomBytes: { source.bytes($0) },
            pause: { try await pause(.seconds($0)) },
            idle: { try await idle(.seconds($0)) },
            uptime: configuration.uptime,
            report: { logger.error("\($0)") }
        )
    }
}
