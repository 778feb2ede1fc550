import CloudService
import Crypto
import DataRows
import NIOPosix
import Records
import Synchronization

/// Copies the data of one place to another. `DataMigration` describes it.
struct DataMover {
    private var report = DataMigration()
    private var digests = SHA256()
    private let source: any DataPlace
    private let target: any DataPlace
    private let time: Timestamp
    private let onStep: @Sendable (DataMigration.Step) -> Void
    /// Whether the files of the source are in an object store that the target goes on using.
    private var filesStay = false
    /// The record types of the container whose databases were copied last.
    private var lastTypes: (container: DatabaseKey, types: [TypeSchema])?

    init(
        from source: any DataPlace, to target: any DataPlace, at time: Timestamp,
        onStep: @escaping @Sendable (DataMigration.Step) -> Void
    ) {
        self.source = source
        self.target = target
        self.time = time
        self.onStep = onStep
    }

    mutating func run() async throws -> DataMigration {
        let copy = try await begin()
        try await copyDirectory()
        let keys = try await source.databases()
        let present = Set(try await target.databases())
        for key in keys {
            try Task.checkCancellation()
            try await copyDatabase(key, isThere: present.contains(key))
        }
        // Databases that the source has removed since an earlier copy was stopped.
        for key in present.subtracting(keys) { try await target.remove(key, withFiles: true) }
        // In this order, so that never both places can be used. If the second step fails, the same call
        // completes it.
        try source.mark(MovedData(to: target.address, as: copy.installation, at: time))
        try await target.finish(copy)
        report.digest = digests.finalize().text
        return report
    }

    /// Checks both places, and marks the target.
    private mutating func begin() async throws -> UnfinishedCopy {
        guard case .complete = try await source.state() else {
            throw ServerError(
                .databaseUnusable, "\(source.name) has no complete data of a server",
                nextStep: "name the place that the server used with --from")
        }
        let owner = try await source.objectStoreOwner
        filesStay = owner != nil && source is FolderPlace && target is EnginePlace
        guard let identity = try await Self.identity(of: source) else {
            throw ServerError(
                .databaseUnusable, "\(source.name) was never used by a server",
                nextStep: "start a server at the new place; there is nothing to move")
        }
        let new = (filesStay ? owner : nil) ?? RandomSource(seed: nil).bytes(8).hexadecimal
        var copy = UnfinishedCopy(of: identity, as: new)
        switch try await target.state() {
        case .empty:
            if let moved = try source.moved { throw refusal(moved) }
        case .unfinished(let known) where known.identity == identity:
            // The last copy may have stopped between the mark of the source and the end.
            if let moved = try source.moved, moved.installation != known.installation { throw refusal(moved) }
            copy = known
        case .unfinished:
            throw ServerError(
                .databaseUnusable, "\(target.name) has an unfinished copy of another server",
                nextStep: "name an empty place with --to")
        case .complete: throw try refusalOfTarget(isCopy: await Self.identity(of: target) == identity)
        case .other: throw try refusalOfTarget(isCopy: false)
        }
        try await checkFilesHavePlace()
        try await target.begin(copy)
        return copy
    }

    /// Throws if records refer to files, and no object store was named for them.
    private mutating func checkFilesHavePlace() async throws {
        if filesStay { return }
        for key in try await source.databases()
        where source.files(of: key) == nil || target.files(of: key) == nil {
            let types = try await types(of: key)
            let content = try await source.content(of: key, types: types)
            let hasFiles = try await Self.blocking {
                defer { try? content.close() }
                return try !content.rows(of: .assetOwner, after: nil).isEmpty
            }
            if hasFiles { throw Self.noPlaceForFiles(of: key) }
        }
    }

    private static func noPlaceForFiles(of key: DatabaseKey) -> ServerError {
        ServerError(
            .engineUnusable, "records in \(key.text) refer to files, and no object store was named",
            nextStep: "name the object store for the files with --assets")
    }

    /// The error for a source whose data were moved to another place than the target.
    private func refusal(_ moved: MovedData) -> ServerError {
        ServerError(
            .folderUnusable,
            "the data of \(source.name) were moved to \(moved.target) on \(moved.date)",
            nextStep: "move them on from there: --from \(moved.target); or, to move the old data once more, "
                + "delete the file \(DataFolder.movedMark) in \(source.name)")
    }

    /// The error for a target that has data.
    ///
    /// - Parameter isCopy: whether they are those of the same server.
    private func refusalOfTarget(isCopy: Bool) throws -> ServerError {
        let moved = try source.moved
        let (reason, nextStep): (String, String)
        let empty = "name an empty place with --to"
        if let left = try target.moved {
            reason =
                "\(target.name) has the data from before they were moved to \(left.target) on \(left.date)"
            nextStep = "\(empty); delete this one when you are content"
        } else if isCopy, let moved {
            reason =
                "the data of \(source.name) were moved to \(moved.target) on \(moved.date) already, and "
                + "\(target.name) has them"
            nextStep =
                "\(moved.serve); everything was compared when it was moved; to see it, ask the running "
                + "server: cloudlet user list"
        } else if isCopy {
            reason = "\(target.name) has data of the same server as \(source.name) already"
            nextStep = "if they were moved there, start a server there; to copy the data once more, \(empty)"
        } else if let moved {
            reason =
                "\(target.name) has data of another server; those of \(source.name) were moved to "
                + "\(moved.target) on \(moved.date)"
            nextStep = "\(moved.serve); or, to move them on, name that place with --from, and \(empty)"
        } else {
            reason = "\(target.name) has data already"
            nextStep = "\(empty); data are never mixed"
        }
        return ServerError(.databaseUnusable, reason, nextStep: nextStep)
    }

    /// Identifies a server, by the secret with which it signs tokens. The secret never changes and moves
    /// along, so every copy of the data has the same identity. nil if no server has used the place.
    private static func identity(of place: any DataPlace) async throws -> String? {
        let content = try place.directory
        let secret = try await blocking { () -> [UInt8]? in
            defer { try? content.close() }
            var secret: [UInt8]?
            try content.forEachPage(of: .secret) { page in
                for row in page where row[0] == .text("web-auth-tokens") { secret = row[1].bytes }
            }
            return secret
        }
        return secret.map { String(SHA256.hash(data: $0).text.prefix(32)) }
    }

    private mutating func copyDirectory() async throws {
        let (from, to) = (try source.directory, try target.directory)
        let onStep = onStep
        let (compared, wasThere) = try await Self.blocking {
            defer {
                try? from.close()
                try? to.close()
            }
            let present = try Self.compare(DataMigration.directory, from, to)
            if present.areEqual { return (present, true) }
            try to.empty()
            return (try Self.fill(DataMigration.directory, to, from, onStep), false)
        }
        try compared.check(at: target)
        add(compared.copied(wasThere: wasThere))
    }

    private mutating func copyDatabase(_ key: DatabaseKey, isThere: Bool) async throws {
        let types = try await types(of: key)
        let from = try await source.content(of: key, types: types)
        defer { try? from.close() }
        var present = isThere ? try await compare(key, from, types) : nil
        let wasThere = present?.areEqual ?? false
        if isThere, !wasThere {
            try await target.remove(key, withFiles: false)
            present = nil
        }
        let compared: Compared
        if let present {
            compared = present
        } else {
            let (to, onStep) = (try await target.content(of: key, types: types), onStep)
            compared = try await Self.blocking {
                defer { try? to.close() }
                return try Self.fill(key.text, to, from, onStep)
            }
        }
        try compared.check(at: target)
        add(compared.copied(wasThere: wasThere, files: try await copyFiles(of: key, from)))
    }

    /// Compares a database with what is at the target under its name.
    private func compare(
        _ key: DatabaseKey, _ from: any RowDatabase, _ types: [TypeSchema]
    ) async throws -> Compared {
        let to = try await target.content(of: key, types: types)
        return try await Self.blocking {
            defer { try? to.close() }
            return try Self.compare(key.text, from, to)
        }
    }

    /// The record types of a database. Those of the last container are kept, because many databases belong to
    /// one.
    private mutating func types(of key: DatabaseKey) async throws -> [TypeSchema] {
        let container = DatabaseKey(container: key.container, environment: key.environment, owner: nil)
        if let known = lastTypes, known.container == container { return known.types }
        let types = try await source.types(of: key.container, in: key.environment)
        lastTypes = (container, types)
        return types
    }

    private mutating func add(_ copied: DataMigration.Copied) {
        report.add(copied)
        digests.update(data: Array("\(copied.database) \(copied.digest)\n".utf8))
        onStep(.copied(copied))
    }

    /// Copies the files of a database that records refer to. Returns their number.
    private mutating func copyFiles(of key: DatabaseKey, _ content: any RowDatabase) async throws -> Int {
        if filesStay { return 0 }
        var (last, count): ([RowValue]?, Int) = (nil, 0)
        var known = ""
        while true {
            let page = try await Self.blocking { [last] in try content.rows(of: .assetOwner, after: last) }
            if page.isEmpty { return count }
            last = page.last
            // Several records may refer to a file; their rows follow one another.
            var checksums: Set<String> = []
            for row in page { if let text = row[0].text, text != known { checksums.insert(text) } }
            known = page.last?.first?.text ?? known
            guard let from = source.files(of: key), let to = target.files(of: key) else {
                throw Self.noPlaceForFiles(of: key)
            }
            let copied = try await FileCopy(from: from, to: to).copy(checksums)
            report.add(copied, of: key.text)
            count += copied.files
        }
    }

    /// Runs work that waits for a database.
    private static func blocking<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await NIOThreadPool.singleton.runIfActive(work)
    }

    /// Writes a database, and compares it.
    private static func fill(
        _ name: String, _ target: any RowDatabase, _ source: any RowDatabase,
        _ onStep: @escaping @Sendable (DataMigration.Step) -> Void
    ) throws -> Compared {
        let written = Mutex(0)
        do {
            try target.fill(from: source) { count in
                let (before, rows) = written.withLock { rows in
                    defer { rows += count }
                    return (rows, rows + count)
                }
                if rows / rowsPerStep != before / rowsPerStep { onStep(.wrote(rows: rows, of: name)) }
            }
        } catch {
            throw ServerError(
                .databaseUnusable, "\(name) could not be copied: \(DataBackup.reason(of: error))",
                nextStep: "remove the cause, and run the same command again")
        }
        return try compare(name, source, target)
    }

    /// After this many rows, a step is reported.
    private static let rowsPerStep = 50_000
}

// MARK: - Comparing

extension DataMover {
    /// A comparison with the digests of both sides.
    private struct Compared: Sendable {
        var name: String
        var comparison: RowComparison
        var digests: [RowComparison.Side: String]

        var areEqual: Bool { comparison.areEqual && digests[.source] == digests[.target] }

        func copied(wasThere: Bool, files: Int = 0) -> DataMigration.Copied {
            DataMigration.Copied(
                database: name, rows: comparison.rows[.source] ?? 0, files: files,
                digest: digests[.source] ?? "", wasThere: wasThere)
        }

        /// Throws for a difference.
        func check(at target: any DataPlace) throws(ServerError) {
            if areEqual { return }
            let all = comparison.differences.map(\.description).joined(separator: "; ")
            throw ServerError(
                .databaseUnusable, "the copy of \(name) at \(target.name) differs: \(all)",
                nextStep: "check that no server uses the source, and run the same command again")
        }
    }

    private static func compare(
        _ name: String, _ source: any RowDatabase, _ target: any RowDatabase
    ) throws -> Compared {
        var digests: [RowComparison.Side: SHA256] = [.source: SHA256(), .target: SHA256()]
        let comparison = try RowComparison(source, with: target) { side, form in
            digests[side]?.update(data: form)
        }
        return Compared(
            name: name, comparison: comparison, digests: digests.mapValues { $0.finalize().text })
    }
}

extension SHA256.Digest {
    fileprivate var text: String { Array(self).hexadecimal }
}
