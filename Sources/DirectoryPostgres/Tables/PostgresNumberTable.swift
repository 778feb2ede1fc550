import PostgreSQLSupport
import Records

/// Gives out numbers that are never used again. Unlike those of a sequence of PostgreSQL, they have no gaps
/// after a crash.
struct PostgresNumberTable {
    let connection: PostgresConnection

    func next(_ subject: String) throws -> Int64 {
        let rows = try connection.run(
            "UPDATE directory_number SET last = last + 1 WHERE subject = $1 RETURNING last", [.text(subject)])
        guard let row = rows.first else {
            throw RecordError(
                .internalError, "the table directory_number lacks a row", culprit: subject,
                nextStep: "restore a backup of the database")
        }
        return row.integer(0)
    }
}
