import NIOPosix
import RecordStore
import Records
import ServerData

#if PostgreSQL
import RecordStorePostgres
#endif

/// Opens the engine that keeps the records of a server.
enum RecordEngines {
    /// Returns nil if files in the data folder keep the records.
    ///
    /// - Throws: `ServerError` if the engine cannot be used.
    static func engine(of configuration: ServerConfiguration) async throws -> (any RecordStoreEngine)? {
        guard let address = configuration.database else { return nil }
        if case .temporary = configuration.storage {
            throw ServerError(
                .engineUnusable, "an ephemeral server keeps nothing, but PostgreSQL would keep its records",
                nextStep: "leave out --ephemeral or --database")
        }
        #if PostgreSQL
        do {
            return try await NIOThreadPool.singleton.runIfActive { try PostgresEngine(address: address) }
        } catch let error as RecordError {
            let reason = [error.reason, error.diagnosis].compactMap(\.self).joined(separator: ": ")
            let isLogical = error.code == .badRequest
            throw ServerError(
                .engineUnusable, "the PostgreSQL database cannot be used: \(reason)",
                nextStep: isLogical
                    ? error.nextStep ?? "" : "check the address in --database, for example with psql")
        }
        #else
        _ = address
        throw ServerError(
            .engineUnusable, "--database needs PostgreSQL, without which this program was built",
            nextStep: "leave it out, or install libpq-dev and build the program: "
                + "swift build -c release --traits Networking,PostgreSQL")
        #endif
    }
}
