import CPostgres
import Foundation
package import Records

/// PostgreSQL's client library libpq, which is loaded for the first connection.
package enum PostgresLibrary {
    #if canImport(Darwin)
    private static let names = [
        "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
        "libpq.5.dylib",
    ]
    #else
    private static let names = ["libpq.so.5"]
    #endif

    private static let result = Result { () throws(RecordError) in try load(names) }

    /// Loads the library once. Throws `internalError` if it cannot be loaded.
    package static func load() throws(RecordError) { try result.get() }

    /// Loads the first library with one of these names.
    package static func load(_ names: [String]) throws(RecordError) {
        let copies = names.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        guard let reason = postgres_load(pointers) else { return }
        var error = RecordError(
            .internalError, "PostgreSQL's client library cannot be loaded", culprit: "libpq",
            nextStep: "install libpq 14 or newer (Debian: libpq5), or leave out --database")
        error.diagnosis = String(cString: reason)
        throw error
    }
}
