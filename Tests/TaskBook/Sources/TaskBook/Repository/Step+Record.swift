// Owns the ways between the step and its record: two lines a property. The keys are what
// other devices and older versions know: a property may get another name, its key stays.
import Foundation
import LocalReplica

extension Step: Storable {
    static let recordType = "Step"

    /// What is missing in the record, or of another type, is as in a new one.
    init(_ record: ReplicaRecord) {
        self.init(id: record.id.name)
        if case .text(let value)? = record["text"] { self.text = value }
        if case .integer(let value)? = record["value"] { self.value = Int(value) }
        if case .real(let value)? = record["weight"] { weight = value }
    }

    /// Other fields of the record stay as they are.
    func write(to record: inout ReplicaRecord) {
        record["text"] = .text(self.text)
        record["value"] = .integer(Int64(self.value))
        record["weight"] = .real(weight)
    }
}
