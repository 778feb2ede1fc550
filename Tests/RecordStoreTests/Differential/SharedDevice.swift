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

    mutating func apply(_ page: ChangesPage) {
        for change in page.changes {
            switch change {
            case .saved(let record): records[record.id.name] = record.sequence
            case .deleted(let id, _, _): records[id.name] = nil
            }
        }
        token = page.token
    }

    mutating func startOver() {
        token = nil
        records = [:]
    }
}
