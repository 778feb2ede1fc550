// Owns the ways between the task and its record: two lines a property. The keys are what
// other devices and older versions know: a property may get another name, its key stays.
import Foundation
import LocalReplica

extension Task: Storable {
    static let recordType = "Task"

    /// What is missing in the record, or of another type, is as in a new one.
    init(_ record: some ModelRecord) {
        self.init(id: record.recordName)
        title = record[field: "title"] ?? title
        done = record[field: "done"] ?? done
        due = record[field: "due"]
    }

    /// Other fields of the record stay as they are.
    func write(to record: inout some ModelRecord) {
        record[field: "title"] = title
        record[field: "done"] = done
        record[field: "due"] = due
    }
}
