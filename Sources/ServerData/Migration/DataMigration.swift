package import Records

/// Moves all data of a server to another kind of storage: from a data folder to PostgreSQL and an object
/// store, or back.
///
/// Everything that devices hold stays valid: the copy has the same accounts, sessions, secrets, identities of
/// databases, numbers of changes and records of deletions. Counts of requests are not copied.
///
/// Each database is copied in one transaction and compared row by row afterwards; each file is compared with
/// its checksum. A copy that was stopped is completed by the same call: databases that are at the target
/// already are compared, and copied again only if they differ. No server may use the two places meanwhile,
/// and none uses the target before the copy is complete.
public struct DataMigration: Hashable, Sendable {
    /// A step that is done.
    public enum Step: Hashable, Sendable {
        /// Rows of a database were written; the number of all so far.
        case wrote(rows: Int, of: String)
        /// A database and its files are at the target, and were compared.
        case copied(Copied)
    }

    /// A database that is at the target.
    public struct Copied: Hashable, Sendable {
        /// The container, environment and person, separated by slashes; `directory` for the accounts.
        public let database: String
        /// The number of rows in all tables.
        public let rows: Int
        /// The number of files.
        public let files: Int
        /// SHA-256 of all rows, the same at the source and at the target.
        public let digest: String
        /// Whether an earlier, stopped copy has copied the rows.
        public let wasThere: Bool
    }

    /// The number of databases of records.
    public private(set) var databases = 0
    /// The number of rows in all databases, that of the accounts included.
    public private(set) var rows = 0
    /// The number of files.
    public private(set) var files = 0
    /// The number of bytes of the files.
    public private(set) var bytes: Int64 = 0
    /// SHA-256 of the digests of all databases.
    public internal(set) var digest = ""
    /// Files to which records refer, but which the source does not have, or only damaged.
    public private(set) var missing: [String] = []

    /// Copies everything, and compares it. A source that is a folder is marked at the end, so that no server
    /// uses it any more. Otherwise the source stays as it is.
    ///
    /// - Parameter time: now, for the mark.
    /// - Throws: `ServerError` if the source has no data, if the target has other data, if the two differ
    ///   after the copy, or if a place cannot be used.
    package static func run(
        from source: any DataPlace, to target: any DataPlace, at time: Timestamp,
        onStep: @escaping @Sendable (Step) -> Void = { _ in }
    ) async throws -> DataMigration {
        var mover = DataMover(from: source, to: target, at: time, onStep: onStep)
        return try await mover.run()
    }

    /// Adds a database that is at the target.
    mutating func add(_ copied: Copied) {
        rows += copied.rows
        if copied.database != Self.directory { databases += 1 }
    }

    mutating func add(_ copied: FileCopy.Copied, of database: String) {
        files += copied.files
        bytes += copied.bytes
        missing += copied.missing.map { "\(database): \($0)" }
    }

    /// The name of the accounts among the databases.
    static let directory = "directory"
}
