import CloudKit
import Records

struct Meeting: Hashable {
    var id: String
    var topic: String
    var starts: Date?
    var guests: [String]
}

extension Meeting {
    init(_ record: some ModelRecord) throws {
        id = record.recordName
        topic = try record.required("topic")
        starts = record[field: "starts"]
        guests = record[field: "guests"] ?? []
    }

    func write(to record: inout some ModelRecord) {
        record[field: "topic"] = topic
        record[field: "starts"] = starts
        record[field: "guests"] = guests
    }
}
