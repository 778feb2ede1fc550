package import Foundation
package import GRDB
import Records

extension DatabaseMigrator {
    /// Migrates a file to the current version. Throws `internalError` for a file that a newer version has
    /// written.
    package func migrate(_ file: URL, _ writer: any DatabaseWriter) throws {
        guard try !writer.read(hasBeenSuperseded) else {
            throw RecordError(
                .internalError, "the database was written by a newer version of the server",
                culprit: file.lastPathComponent, nextStep: "use that version, or restore an older backup"
            )
        }
        try migrate(writer)
    }
}
