import Cloudlet
import CommandShell
import Foundation

/// Commands for the zones of the private database, and for the cache of them on each device.
struct ZoneCommands {
    let session: CloudSession

    private static let group = "Containers"

    var commands: [CommandSpec] { [fill, fetch, changes, purge, reset].needingAccount() }

    private var fetcher: ZoneFetcher {
        get async { ZoneFetcher(database: await session.container.privateCloudDatabase) }
    }

    private var fill: CommandSpec {
        CommandSpec(
            ["zone", "fill"],
            group: Self.group,
            summary: "create a zone with N small records",
            arguments: [ArgumentSpec("ZONE", .zone), ArgumentSpec("N", .number)],
            flags: [FlagSpec("atomic", "", .nothing, "save all records or none, in one batch")],
            examples: ["zone fill Jokes 100", "zone fill Jokes 3 --atomic"]
        ) { arguments in
            let count = try ParsedArguments.whole(
                try arguments.requiredWord("N"), 1...10_000, called: "N")
            let (zone, isAtomic) = (try arguments.name("ZONE"), arguments.has("atomic"))
            return .work {
                let ids = await session.makeIdentifiers(count, "joke")
                if isAtomic { return Answer.atomic(try await fetcher.fillAtomically(zone, with: ids)) }
                try await fetcher.fill(zone, with: ids)
                let facts = [AnswerField("zone", .text(zone)), AnswerField("saved", .count(count))]
                return Answer.message("saved \(Answer.counted(count, "record")) in \(zone)", facts: facts)
            }
        }
    }

    private var fetch: CommandSpec {
        CommandSpec(
            ["zone", "fetch"],
            group: Self.group,
            summary: "fetch what changed in a zone since the last fetch",
            arguments: [ArgumentSpec("ZONE", .zone)],
            flags: [
                FlagSpec("page", "N", .number, "records in a page; 100 if not given"),
                FlagSpec("keep", "FILE", .file, "store each page with its token there, for the next process"),
            ],
            details: """
                Each page is kept with its token until this shell ends or, with --keep, in the file. \
                An interrupted fetch continues from the last token. If the zone was deleted or the \
                token is too old, the pages are dropped, and the next fetch starts from the beginning.
                """,
            examples: ["zone fetch Jokes --page 20", "zone fetch Jokes --keep jokes.json"]
        ) { arguments in
            let (pageSize, file) = (try arguments.count("page") ?? 100, arguments.flags["keep"])
            let zone = try arguments.name("ZONE")
            return .work {
                guard let file else { return await fetch(zone, pageSize) }
                return try await fetch(zone, pageSize, ZoneCacheFile(url: session.environment.file(file)))
            }
        }
    }

    /// Fetches a zone into the cache of this device, which lasts until the shell ends.
    private func fetch(_ zone: String, _ pageSize: Int) async -> Answer {
        let key = "\(await session.context.key)/\(zone)"
        let before = await session.zoneCaches[key] ?? ZoneCache()
        let outcome = await fetcher.fetch(zone, into: before, pageSize: pageSize)
        await session.keep(outcome.cache, as: key)
        return Answer.zone(zone, before: before, after: outcome.cache, error: outcome.error)
    }

    /// Fetches a zone into a cache file, and prints a line after each stored page, so that an observer can
    /// kill the process at that point.
    private func fetch(_ zone: String, _ pageSize: Int, _ file: ZoneCacheFile) async throws -> Answer {
        let before = try file.read()
        let message = session.environment.message
        let outcome = await fetcher.fetch(zone, into: before, pageSize: pageSize) { cache in
            try file.write(cache)
            if cache.token != nil { message("page \(cache.pageCount) is kept\n") }
        }
        return Answer.zone(zone, before: before, after: outcome.cache, error: outcome.error)
    }

    private var changes: CommandSpec {
        CommandSpec(
            ["zone", "changes"],
            group: Self.group,
            summary: "fetch which zones changed or were deleted since this device's last fetch, and why",
            examples: ["zone changes"]
        ) { _ in
            .work {
                let key = await session.context.key
                let found = try await fetcher.changes(since: await session.databaseTokens[key])
                await session.keep(databaseToken: found.token, of: key)
                return Answer.zoneChanges(found.changes)
            }
        }
    }

    private var purge: CommandSpec {
        CommandSpec(
            ["zone", "purge"],
            group: Self.group,
            summary: "delete the data of a zone as a person does in the settings of a device",
            arguments: [ArgumentSpec("ZONE", .zone)],
            details:
                "Development servers only. Devices receive the reason, and must not upload the data again.",
            examples: ["zone purge Jokes"]
        ) { arguments in
            let zone = try arguments.name("ZONE")
            return .work { try await remove(zone, because: .purged) }
        }
    }

    private var reset: CommandSpec {
        CommandSpec(
            ["zone", "reset"],
            group: Self.group,
            summary: "reset the encrypted data of a zone as a person does in the settings of a device",
            arguments: [ArgumentSpec("ZONE", .zone)],
            details:
                "Development servers only. Devices receive the reason, and may upload their data again.",
            examples: ["zone reset Jokes"]
        ) { arguments in
            let zone = try arguments.name("ZONE")
            return .work { try await remove(zone, because: .encryptedDataReset) }
        }
    }

    private func remove(
        _ zone: String, because reason: CKDatabase.DatabaseChange.Deletion.Reason
    ) async throws -> Answer {
        try await session.connection.removeZones(
            [CKRecordZone.ID(zoneName: zone)], because: reason,
            inContainer: await session.place.container)
        let facts = [AnswerField("zone", .text(zone)), AnswerField("reason", .text("\(reason)"))]
        return Answer.message("removed \(zone) (\(reason))", facts: facts)
    }
}
