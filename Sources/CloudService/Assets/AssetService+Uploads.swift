import AssetStore
package import NIOCore
import RecordStore
package import Records
import Synchronization

extension AssetService {
    /// The caller who asked for an upload ticket, with the database. The upload counts against this caller's
    /// limits.
    ///
    /// Throws `accessDenied` for an invalid ticket.
    package func uploader(with ticket: String) throws -> (caller: Caller, database: DatabaseKey) {
        let place = try signer.verify(ticket, as: UploadTicket.self, now: context.runtime.now())
        guard let key = DatabaseKey(text: place.database) else { throw UploadTicket.refusal }
        return (place.caller(of: key), key)
    }

    /// Receives a file that is in memory, for a field of a record that is saved next. Throws as
    /// `uploadGrants` and `receive` do.
    package func receive(
        _ bytes: [UInt8], for request: RequestedUpload, in scope: DatabaseKind, by caller: Caller
    ) async throws -> Asset {
        let places = try await uploadGrants(for: [request], in: scope, by: caller)
        guard let ticket = places.first?.ticket else { throw UploadTicket.refusal }
        let (pieces, feed) = AsyncStream.makeStream(of: ByteBuffer.self)
        feed.yield(ByteBuffer(bytes: bytes))
        feed.finish()
        return try await receive(pieces, expectedSize: Int64(bytes.count), ticket: ticket)
    }

    /// Receives the bytes of a file. The returned asset carries the receipt with which the client puts it
    /// into a record.
    ///
    /// A ticket is valid for one complete upload; after an incomplete one, it can be used again. It ends with
    /// the session that asked for it, and a restart of the server ends the tickets from before. On a server
    /// with several nodes, a ticket is valid for one complete upload at each node between its restarts.
    ///
    /// The upload counts as a request of the person who asked for the ticket. Files that no record refers to
    /// yet count against the person's `Limits.waitingUploadBytes` and against the quota of the database. This
    /// node does not learn of a record that is saved at another one: then the file counts here until the time
    /// at which an unused file is deleted.
    ///
    /// Throws `limitExceeded` for a file that is too large, `accessDenied` for an invalid ticket and for a
    /// person who may no longer write in the zone, `zoneNotFound` for one with whom nothing in it is shared
    /// any more, `throttled`, `quotaExceeded`, and `tryAgainLater` if too many uploads of the person are in
    /// progress.
    package func receive<Body: AsyncSequence>(
        _ body: Body, expectedSize: Int64?, ticket: String
    ) async throws -> Asset where Body.Element == ByteBuffer {
        // Checked first, so that an impossible size is not counted.
        if let expectedSize {
            if expectedSize > context.limits.assetBytes { throw RecordError.assetTooLarge }
            if expectedSize < 0 { throw RecordError.wrongLength }
        }
        let place = try signer.verify(ticket, as: UploadTicket.self, now: context.runtime.now())
        guard let key = DatabaseKey(text: place.database) else { throw UploadTicket.refusal }
        let caller = place.caller(of: key)
        if let refusal = rateLimiter.charge(caller)?.refusal { throw refusal }
        guard try await sessions.isValid(place.session) else { throw UploadTicket.refusal }
        let upload = try await databases.using(key) { database in
            if !place.zone.isEmpty {
                try await databases.slowWork.reading(for: caller.workPayer) {
                    let guest = try await databases.guest(place.person, in: place.zone, of: database)
                    try await checkMayWrite(guest, in: place.zone, of: database)
                }
            }
            return try await receive(body, expectedSize: expectedSize, place, in: database)
        }
        uploadHousekeeping.wake()
        return receipt(
            for: upload, recordType: place.recordType, field: place.fieldName, in: place.database)
    }

    private func receive<Body: AsyncSequence>(
        _ body: Body, expectedSize: Int64?, _ ticket: UploadTicket, in database: OpenDatabase
    ) async throws -> ReceivedUpload where Body.Element == ByteBuffer {
        let limit = context.limits.waitingUploadBytes
        let person = UploadLedger.Person(container: database.key.container, name: ticket.person)
        let number = try uploads.withLock { uploads throws(RecordError) in
            try uploads.begin(ticket, by: person, expecting: expectedSize, context.limits)
        }
        do {
            try await checkRoom(for: 0, in: database, culprit: ticket.fieldName)
            let upload = try await database.assets.receive(
                body: body, expectedSize: expectedSize, limit: context.limits.assetBytes,
                now: context.runtime.now()
            ) { size in
                // The removal of the database waits for uploads to end, so a slow upload must stop here.
                if context.provider.isRemoved(database.key) { throw Self.isBeingRemoved }
                try uploads.withLock { try $0.grow(number, to: size, limit: limit) }
            }
            do {
                if expectedSize == nil {
                    try await checkRoom(for: 0, in: database, culprit: ticket.fieldName)
                }
                let due = deletionTime(ofUploadAt: context.runtime.now())
                try uploads.withLock { uploads throws(RecordError) in
                    try uploads.complete(number, with: ticket, as: upload, due: due)
                }
            } catch {
                await database.assets.discard(upload)
                throw error
            }
            return upload
        } catch {
            uploads.withLock { $0.cancel(number) }
            throw error
        }
    }

    private static let isBeingRemoved = RecordError(
        .tryAgainLater, "the database is being deleted", nextStep: "ask for a new URL with assets/upload"
    )

    // MARK: Housekeeping

    /// When a file that was received at `now` is deleted, unless a record refers to it. Its receipt has
    /// expired by then.
    func deletionTime(ofUploadAt now: Timestamp) -> Timestamp {
        now.advanced(bySeconds: 2 * Int64(context.limits.uploadSeconds))
    }

    /// Deletes uploaded files that no record refers to, some time after they were received. Runs until it is
    /// cancelled.
    ///
    /// Checks once a minute while such files exist, and sleeps otherwise.
    package func runHousekeeping() async {
        for await _ in uploadHousekeeping.signals {
            repeat {
                do { try await context.runtime.idle(60) } catch { return }
                await discardUploads()
                // Lets other tasks run even in a test whose pauses take no time.
                await Task.yield()
            } while !Task.isCancelled && uploads.withLock { !$0.isEmpty }
        }
    }

    /// Deletes the uploaded files that no record referred to in time.
    package func discardUploads() async {
        let now = context.runtime.now()
        let limit = now.advanced(bySeconds: -2 * Int64(context.limits.uploadSeconds))
        for text in uploads.withLock({ $0.sweep(at: now) }) {
            guard let key = DatabaseKey(text: text) else { continue }
            do {
                // `using` would create the container if it was deleted meanwhile, on an open server.
                try await containerRegistry.checkExists(key.container)
                try await databases.using(key) { await $0.assets.discardUploads(receivedBefore: limit) }
            } catch let error as RecordError
                where error.code == .badContainer || error.code == .tryAgainLater
            {
                // Either the container is being deleted, and the files with it, or the server is stopping,
                // and the next start deletes the files.
            } catch {
                context.runtime.report(
                    "the unused uploads of \(text) were not deleted: \(error)")
            }
        }
    }
}

extension UploadTicket {
    /// The caller who asked for the ticket.
    fileprivate func caller(of database: DatabaseKey) -> Caller {
        Caller(
            container: database.container, environment: database.environment,
            identity: key.isEmpty ? .person(person) : .serverKey(id: key, owner: person)
        )
    }
}
