import RecordStore
import Records

/// A person's copy of one zone: for the owner the whole zone, for others the shared part.
struct SharedDevice {
    var person: String
    var zone: String
    /// A lazy device fetches changes only from time to time, other devices after each step.
    var isLazy = false
    var token: ChangeToken?
    /// The numbers of the last changes of the records, by name.
    var records: [String: Int64] = [:]

    /// The names in the pages since the last reading to the end: the changed and the deleted ones.
    private(set) var changed: [String] = []
    private(set) var deleted: [String] = []

    mutating func apply(_ page: ChangesPage) {
        for change in page.changes {
            switch change {
            case .saved(let record):
                records[record.id.name] = record.sequence
                changed.append(record.id.name)
            case .deleted(let id, _, _):
                records[id.name] = nil
                deleted.append(id.name)
            }
        }
        token = page.token
    }

    /// The faults of the pages of one reading: names that occur twice, and deletions of records that the
    /// person has never been able to see.
    func faults(seen: Set<String>?) -> [String] {
        let names = changed + deleted
        let twice = Set(names.filter { name in names.count { $0 == name } > 1 })
        let foreign = seen.map { Set(deleted).subtracting($0) } ?? []
        return twice.sorted().map { "\($0) occurs twice" }
            + foreign.sorted().map { "-\($0) was never visible" }
    }

    mutating func endReading() { (changed, deleted) = ([], []) }

    mutating func startOver() {
        token = nil
        records = [:]
        endReading()
    }
}
