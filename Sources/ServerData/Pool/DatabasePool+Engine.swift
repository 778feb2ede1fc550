package import CloudService
import NIOPosix
package import RecordStore
import Records

/// The databases in an engine such as PostgreSQL. These methods do nothing if files keep the records.
extension DatabasePool {
    package var changes: AsyncStream<EngineChange> {
        isNode ? engine?.changes ?? AsyncStream { $0.finish() } : AsyncStream { $0.finish() }
    }

    package func tellOfNotifications(
        after number: Int64, upTo last: Int64, in key: DatabaseKey
    ) async throws {
        try await engine?.tellOfNotifications(after: number, upTo: last, in: key.text)
    }

    package func tellNodes(_ messages: [String]) async throws { try await engine?.tell(messages) }

    /// Deletes the records of databases from the engine. Call it after `deleteFiles`.
    func removeFromEngine(_ selection: DatabaseSelection) async throws {
        guard let engine else { return }
        let keys = try existing(selection)
        // Clients may hold change tokens with sequence numbers of these databases, so new databases of the
        // same names must begin with higher numbers.
        if !keys.isEmpty { try DataFolder.beginLaterEpoch(in: folder.url) }
        for key in keys { try await engine.remove(key.text) }
    }

    func largestOfEngine(_ count: Int, of containers: [String]) async throws -> [DatabaseKey] {
        guard let engine else { return [] }
        var found: [(key: DatabaseKey, bytes: Int64)] = []
        for container in containers {
            for key in try existing(DatabaseSelection(container: container)) where key.owner != nil {
                let files = try await NIOThreadPool.singleton.runIfActive { self.bytesOnDisk(of: key) }
                found.append((key, files.addingSaturated(try await engine.bytes(of: key.text))))
                // Keeps the list short, however many databases there are.
                if found.count >= 2 * count + 1000 { found = Self.largest(count, of: found) }
            }
        }
        return Self.largest(count, of: found).map(\.key)
    }

    /// Adds the databases and the bytes of their records to the usage of the files.
    func addingEngine(
        of container: String, in environment: CloudEnvironment, to files: DatabaseUsage
    ) async throws -> DatabaseUsage {
        guard let engine else { return files }
        var usage = files
        let keys = try existing(DatabaseSelection(container: container, environment: environment))
        usage.privateDatabases += keys.count(where: { $0.owner != nil })
        for key in keys { usage.bytes = usage.bytes.addingSaturated(try await engine.bytes(of: key.text)) }
        return usage
    }
}
