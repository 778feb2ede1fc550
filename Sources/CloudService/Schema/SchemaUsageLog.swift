import RecordStore
import Records
import Synchronization

/// Logs the fields and queries in use since the server started, by container and environment. Only open
/// servers keep the log.
final class SchemaUsageLog: Sendable {
    private let isOn: Bool
    private let usage = Mutex<[ContainerKey: SchemaUsage]>([:])

    init(isOn: Bool) {
        self.isOn = isOn
    }

    func usage(in place: ContainerKey) -> SchemaUsage {
        usage.withLock { $0[place] ?? SchemaUsage() }
    }

    /// Adds the saves of a batch that succeeded.
    func add(_ operations: [RecordOperation], _ results: [ItemResult], by caller: Caller) {
        if !isOn { return }
        let saves = zip(operations, results).lazy.compactMap { operation, result in
            if case .record(let record) = result {
                (type: record.type, fields: operation.fields)
            } else {
                nil
            }
        }
        usage.withLock { $0[ContainerKey(caller), default: SchemaUsage()].add(saves) }
    }

    /// Adds a query that succeeded.
    func add(_ query: Query, by caller: Caller) {
        if !isOn { return }
        usage.withLock { $0[ContainerKey(caller), default: SchemaUsage()].add(query) }
    }

    func forget(_ container: String) {
        usage.withLock { usage in usage = usage.filter { $0.key.container != container } }
    }
}
