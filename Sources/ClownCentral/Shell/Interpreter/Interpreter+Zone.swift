// Owns doing the commands about zones, and the cache that each device has of them.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: ZoneCommand) async throws -> Answer {
        let fetcher = ZoneFetcher(database: container.privateCloudDatabase)
        switch command {
        case .fill(let zone, let count, let isAtomic):
            let ids = (0..<count).map { _ in identifiers.next("joke") }
            if isAtomic { return Answer.atomic(try await fetcher.fillAtomically(zone, with: ids)) }
            try await fetcher.fill(zone, with: ids)
            let facts = [Field("zone", .text(zone)), Field("saved", .count(count))]
            return Answer.talk("saved \(Answer.counted(count, "record")) in \(zone)", facts: facts)
        case .fetch(let zone, let pageSize, let file):
            if let file { return try await fetch(zone, pageSize, ZoneCacheFile(url: tools.file(file))) }
            let key = "\(session.account?.person ?? "")@\(session.device)/\(zone)"
            let before = session.zoneCaches[key] ?? ZoneCache()
            let outcome = await fetcher.fetch(zone, into: before, pageSize: pageSize)
            session.zoneCaches[key] = outcome.cache
            return Answer.zone(zone, before: before, after: outcome.cache, error: outcome.error)
        case .changes:
            let key = "\(session.account?.person ?? "")@\(session.device)"
            let found = try await fetcher.changes(since: session.databaseTokens[key])
            session.databaseTokens[key] = found.token
            return Answer.zoneChanges(found.changes)
        case .remove(let zone, let reason):
            return try await remove(zone, because: reason)
        }
    }

    /// Fetches with the cache in a file, and says so with each page: whoever watches may end the process.
    private func fetch(_ zone: String, _ pageSize: Int, _ file: ZoneCacheFile) async throws -> Answer {
        let before = try file.read()
        let talk = tools.talk
        let fetcher = ZoneFetcher(database: container.privateCloudDatabase)
        let outcome = await fetcher.fetch(zone, into: before, pageSize: pageSize) { cache in
            try file.write(cache)
            talk("page \(cache.pageCount) is kept\n")
        }
        return Answer.zone(zone, before: before, after: outcome.cache, error: outcome.error)
    }

    private func remove(
        _ zone: String, because reason: CKDatabase.DatabaseChange.Deletion.Reason
    ) async throws -> Answer {
        let connection = site.connection(
            in: session.place.environment, session.account?.session, device: session.device)
        try await connection.removeZones(
            [CKRecordZone.ID(zoneName: zone)], because: reason, inContainer: session.place.container)
        let facts = [Field("zone", .text(zone)), Field("reason", .text("\(reason)"))]
        return Answer.talk("removed \(zone) (\(reason))", facts: facts)
    }
}

extension Answer {
    /// The zones that changed or went, one an entry.
    fileprivate static func zoneChanges(_ changes: [ZoneNews]) -> Answer {
        let entries = changes.map { news in
            Entry([Field("zone", .text(news.zone)), Field("what", .text(news.what))])
        }
        return Answer(
            form: .list, entries: entries, columns: [Column("ZONE", "zone"), Column("WHAT", "what")],
            whenEmpty: "no zone changed since this device asked last"
        )
    }

    /// What became of each record of a batch that is saved whole or not at all.
    fileprivate static func atomic(_ outcomes: [(name: String, result: Result<Void, any Error>)]) -> Answer {
        let entries = outcomes.map { name, result in
            let code = if case .failure(let error) = result { Complaint(error).code } else { "saved" }
            return Entry([Field("record", .text(name)), Field("outcome", .text(code))])
        }
        var answer = Answer(
            form: .list, entries: entries,
            columns: [Column("RECORD", "record"), Column("OUTCOME", "outcome")], isBatch: true)
        guard entries.contains(where: { $0.value(["outcome"]) != .text("saved") }) else { return answer }
        answer.failures = [
            Complaint(
                code: "partialFailure", message: "one record spoils the batch: none is saved",
                remedy: "mend the record with an error of its own, leave the others, send all again")
        ]
        return answer
    }

    /// What a fetch brought, also when it was broken off.
    fileprivate static func zone(
        _ zone: String, before: ZoneCache, after: ZoneCache, error: (any Error)?
    ) -> Answer {
        let new = after.recordNames.count - before.recordNames.count
        let fields = [
            Field("zone", .text(zone)),
            Field("from", .text(before.token == nil ? "the beginning" : "the last token")),
            Field("pages", .count(after.pageCount)),
            Field("new", .count(new)),
            Field("twice", .count(after.repeatedCount)),
            Field("kept", .count(after.recordNames.count)),
        ]
        let how = error == nil ? "fetched to the end" : "broken off; the pages that arrived are kept"
        var answer = Answer(form: .record, entries: [Entry(fields)], notes: ["\(zone): \(how)"])
        answer.failures = error.map { [Complaint($0)] } ?? []
        return answer
    }
}
