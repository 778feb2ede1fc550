import CloudKit
import Foundation
import Records
import Testing

@testable import Cloudlet

@Suite("Records without objects")
struct PlainRecordTests {
    private static let home = ZoneID(name: "Notes")

    private static func record(_ value: FieldValue, isEncrypted: Bool = false) -> Record {
        var record = Record(id: RecordID(name: "n", zone: home), type: "Note")
        record.fields["value"] = Field(value, isEncrypted: isEncrypted)
        record.changeTag = ChangeTag(sequence: 7)
        record.created = Stamp(at: Timestamp(milliseconds: 1_700_000_000_123), by: "_a")
        record.modified = Stamp(at: Timestamp(milliseconds: 1_700_000_000_457), by: "_b", device: "phone")
        record.parent = "p"
        record.sharing = .root(of: "s")
        return record
    }

    @Test(
        "A plain record has the same content as the object",
        arguments: [
            .string("Ä"), .string(""), .int64(.max), .int64(0), .double(0.1), .double(3),
            .timestamp(Timestamp(milliseconds: 1_700_000_000_789)), .timestamp(Timestamp(milliseconds: -1)),
            .bytes([0, 255]), .bytes([]), .reference(Reference(recordName: "t")),
            .reference(Reference(recordName: "t", action: .deleteSelf)),
        ] as [FieldValue])
    func content(of value: FieldValue) throws {
        let record = Self.record(value)
        for context in [WireContext(), WireContext(isShared: true)] {
            let plain = try #require(context.plain(record))
            let object = context.record(record)
            #expect(plain.fields == object.contents.fields)
            #expect(plain.systemFields == object.systemFields)
            #expect(plain.name == object.recordID.recordName)
            #expect(plain.type == object.recordType)
            #expect(plain.changeTag == object.recordChangeTag)
            #expect(plain.parent == object.parent?.recordID.recordName)
        }
    }

    @Test(
        "A value that needs an object is not plain",
        arguments: [
            .reference(Reference(recordName: "t", action: .validate)),
            .reference(Reference(recordName: "t", zone: ZoneID(name: "Other"))), .double(.nan),
            .double(.infinity), .list(.string, [.string("a")]),
            .location(Location(latitude: 1, longitude: 2)), .asset(Asset(fileChecksum: "c", size: 1)),
        ] as [FieldValue])
    func others(value: FieldValue) {
        #expect(WireContext().plain(Self.record(value)) == nil)
    }

    @Test("An encrypted value is not plain")
    func encrypted() {
        #expect(WireContext().plain(Self.record(.string("a"), isEncrypted: true)) == nil)
    }
}
