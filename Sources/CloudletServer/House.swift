// Owns the server's rooms, put together.

import AssetStore
import CloudHTTP
import CloudService
import Foundation
import Hummingbird
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire

/// All rooms of the server side on one data folder, without a listener.
final class House: Sendable {
    let folder: DataFolder
    let responder: any HTTPResponder<DoorContext>
    private let directory: any Directory
    private let shelf: DatabaseShelf

    init(_ configuration: ServerConfiguration) async throws {
        let seams = Seams.make(clock: configuration.clock, seed: configuration.seed)
        folder = try DataFolder(
            configuration.storage,
            temporaryName: Seams.make(clock: configuration.clock, seed: nil).randomHex(bytes: 8)
        )
        do {
            let isTemporary = if case .temporary = configuration.storage { true } else { false }
            let durability = isTemporary ? SQLiteStore.Durability.none : .full
            directory = try SQLiteDirectory(file: folder.directoryFile, durability: durability)
            shelf = DatabaseShelf(folder: folder, durability: durability, seams: seams)
            let service = CloudService(
                directory: directory, databases: shelf, seams: seams,
                allowsSignInByName: configuration.allowsSignInByName
            )
            responder = CloudRouter.make(
                service, publicURL: configuration.publicURL, logger: configuration.logger
            ).buildResponder()
        } catch {
            folder.release()
            throw ServerError(
                .databaseUnusable, "the data in \(folder.url.path) cannot be opened: \(error)",
                nextStep: "restore it from a backup, or choose another folder"
            )
        }
    }

    func close() async {
        await shelf.close()
        try? await directory.close()
        folder.release()
    }
}

extension Seams {
    /// Time and chance as a server takes them: from the system, or reproducible from a seed.
    static func make(clock: @escaping @Sendable () -> Date, seed: UInt64?) -> Seams {
        let source = RandomSource(seed: seed)
        return Seams(
            now: { Timestamp(milliseconds: Int64((clock().timeIntervalSince1970 * 1000).rounded(.down))) },
            randomBytes: { source.bytes($0) }
        )
    }
}
