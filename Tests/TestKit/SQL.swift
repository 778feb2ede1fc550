import Foundation
import GRDB

/// Executes SQL in a database file, which it creates if necessary.
func execute(_ sql: String, in file: URL) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
}
