// Owns the ways between the task and its record: two lines a property. The keys are what
// other devices and older versions know: a property may get another name, its key stays.
import Foundation
import LocalReplica

extension Task: Storable {
    static let recordType = "Task"

    /// What is missing in the record, or of another type, is as in a new one.
    init(_ record: ReplicaRecord) {
        self.init(id: record.id.name)
        if case .text(let value)? = record["title"] { title = value }
        if case .integer(let value)? = record["done"] { done = value != 0 }
        if case .date(let value)? = record["due"] { due = value }
    }

    /// Other fields of the record stay as they are.
    func write(to record: inout ReplicaRecord) {
        record["title"] = .text(title)
        record["done"] = .integer(done ? 1 : 0)
        record["due"] = due.map { .date($0) }
    }
}
