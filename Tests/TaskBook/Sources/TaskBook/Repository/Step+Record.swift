// Owns the ways between the step and its record: two lines a property. The keys are what
// other devices and older versions know: a property may get another name, its key stays.
import Foundation
import LocalReplica

extension Step: Storable {
    static let recordType = "Step"

    /// What is missing in the record, or of another type, is as in a new one.
    init(_ record: some ModelRecord) {
        self.init(id: record.recordName)
        self.text = record[field: "text"] ?? self.text
        self.value = record[field: "value"] ?? self.value
        weight = record[field: "weight"] ?? weight
    }

    /// Other fields of the record stay as they are.
    func write(to record: inout some ModelRecord) {
        record[field: "text"] = self.text
        record[field: "value"] = self.value
        record[field: "weight"] = weight
    }
}
