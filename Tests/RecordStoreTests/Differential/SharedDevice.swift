import RecordStore
import Records

/// What a person keeps of one zone: the owner of all of it, others of what is shared with them.
struct SharedDevice {
    var person: String
    var zone: String
    /// A lazy device is brought up to date from time to time only, any other after each step.
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
