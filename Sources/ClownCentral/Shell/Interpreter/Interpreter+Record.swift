// Owns doing the commands about records as they are.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: RecordCommand) async throws -> Answer {
        let records = RecordRepository(database: container.publicCloudDatabase)
        switch command {
        case .save(let type, let name, let changes):
            return Self.record(try await records.save(type, name, changes), note: "saved \(name)")
        case .show(let name):
            return Self.record(try await records.record(named: name), note: nil)
        }
    }

    private static func record(_ record: CKRecord, note: String?) -> Answer {
        let own = record.allKeys().sorted().map { Field($0, value(record[$0])) }
        let head = [
            Field("record", .text(record.recordID.recordName)), Field("type", .text(record.recordType)),
        ]
        return Answer(form: .record, entries: [Entry(head + own)], notes: [note].compactMap { $0 })
    }

    private static func value(_ value: (any CKRecordValueProtocol)?) -> Value {
        switch value {
        case let text as String: .text(text)
        case let number as Int64: .count(Int(number))
        case let number as Int: .count(number)
        case let number as Double: .text("\(number)")
        case let other?: .text("\(other)")
        case nil: .missing
        }
    }
}
