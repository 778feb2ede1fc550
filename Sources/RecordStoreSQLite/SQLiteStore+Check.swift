// Owns the check of a database file's soundness.

import GRDB

extension SQLiteStore {
    /// What the engine finds wrong with the file, one fault a line; empty for a sound file.
    package func faults() async throws -> [String] {
        try await read { database in
            try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        }
    }
}
