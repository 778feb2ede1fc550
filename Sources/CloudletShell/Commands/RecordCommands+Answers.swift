import Cloudlet
import CommandShell
import Foundation

// The presentation of records in answers.
extension RecordCommands {
    static func answer(_ record: CKRecord, note: String?) -> Answer {
        Answer(form: .record, entries: [entry(record)], notes: [note].compactMap { $0 })
    }

    /// The fields that name a record. They come first.
    private static let naming = ["name", "title", "text"]

    static func answer(_ records: [CKRecord], hasMore: Bool) -> Answer {
        let all = Set(records.flatMap { $0.allKeys() })
        let keys = naming.filter(all.contains) + all.subtracting(naming).sorted()
        let columns =
            [Column("RECORD", "record")] + keys.map { Column($0.uppercased(), $0, isFlexible: true) }
        return Answer(
            form: .list, entries: records.map(entry), columns: columns,
            facts: [AnswerField("more", .flag(hasMore))],
            notes: hasMore ? ["\(Answer.firstShown(records.count)); --limit N shows more"] : [],
            whenEmpty: "no record matches; save one: record save TYPE NAME FIELD=VALUE")
    }

    private static func entry(_ record: CKRecord) -> Entry {
        let own = record.allKeys().sorted().map { AnswerField($0, value(record[$0])) }
        return Entry(
            [
                AnswerField("record", .text(record.recordID.recordName)),
                AnswerField("type", .text(record.recordType)),
            ]
                + own)
    }

    /// A reference as text: `rope`, `Notes/rope` for a record in another zone, `owner rope` for `deleteSelf`.
    private static func name(of reference: CKRecord.Reference) -> String {
        let id = reference.recordID
        let zone = id.zoneID.zoneName == CKRecordZone.ID.defaultZoneName ? "" : "\(id.zoneID.zoneName)/"
        return (reference.action == .deleteSelf ? "owner " : "") + zone + id.recordName
    }

    private static func value(_ value: (any CKRecordValueProtocol)?) -> Value {
        switch value {
        case let text as String: .text(text)
        case let number as Int64: .count(Int(number))
        case let number as Int: .count(number)
        case let number as Double: .text("\(number)")
        case let date as Date: .moment(date)
        case let reference as CKRecord.Reference:
            .text(name(of: reference))
        case let other?: .text("\(other)")
        case nil: .missing
        }
    }
}
