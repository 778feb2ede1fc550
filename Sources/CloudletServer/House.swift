// Owns the server's rooms, put together.

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
    let responder: FrontDoor
    let gate = Gate()
    let faults = FaultDesk()
    let operatorKey: String
    /// What the server takes for the time.
    let clock: @Sendable () -> Date
    private let directory: any Directory
    private let shelf: DatabaseShelf
    /// Sends pushes to Apple's devices; owned by this house, ended by `close`.
    private let dispatching: Task<Void, Never>?

    init(_ configuration: ServerConfiguration) async throws {
        clock = configuration.clock
        let publicOrigin = try configuration.publicOrigin()
        let proxies = try configuration.proxies()
        let name = RandomSource(seed: nil).bytes(8).hexadecimal
        folder = try DataFolder(configuration.storage, temporaryName: name)
        folder.tellIfItWasOpen(configuration.logger)
        do {
            operatorKey = try folder.operatorFiles.key()
            let seams = Seams.make(configuration)
            let isTemporary = if case .temporary = configuration.storage { true } else { false }
            let durability = isTemporary ? SQLiteStore.Durability.none : .full
            directory = try SQLiteDirectory(file: folder.directoryFile, durability: durability)
            shelf = DatabaseShelf(
                folder: folder, durability: durability, seams: seams, limits: configuration.limits.values)
            service = CloudService(
                directory: directory, databases: shelf, codec: FieldJSON(), seams: seams,
                limits: configuration.limits.values, isOpen: configuration.isOpen,
                takesFaults: isTemporary || configuration.port == nil,
                tokenKey: try await directory.secret(
                    named: "web-auth-tokens", candidate: seams.randomBytes(32)),
                passwordCost: configuration.passwordCost, faults: faults
            )
            responder = configuration.responder(service, publicOrigin, proxies, OperatorKey(operatorKey))
            dispatching = try Self.dispatching(configuration, service)
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
                payloadLimit: configuration.limits.pushes.bytes, now: service.seams.now))
        return Task { await dispatch.run() }
    }

    /// Ends what waits for pushes, which would wait for ever.
    func quieten() { service.pushes.close() }

    func close() async {
        quieten()
        dispatching?.cancel()
        await dispatching?.value
        await shelf.close()
        try? await directory.close()
        folder.release()
    }
}

extension Seams {
    /// Time and chance as a server takes them: from the system, or reproducible from a seed.
    fileprivate static func make(_ configuration: ServerConfiguration) -> Seams {
        let source = RandomSource(seed: configuration.seed)
        let (clock, pause, idle) = (configuration.clock, configuration.pause, configuration.idle)
        let logger = configuration.logger
        return Seams(
            now: { Timestamp(milliseconds: Int64((clock().timeIntervalSince1970 * 1000).rounded(.down))) },
            randomBytes: { source.bytes($0) },
            pause: { try await pause(.seconds($0)) },
            idle: { try await idle(.seconds($0)) },
            uptime: configuration.uptime,
            report: { logger.error("\($0)") }
        )
    }
}
