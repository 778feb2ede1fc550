import Foundation
import GRDB
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import SQLiteSupport
import Testing

@testable import TestKit

@Suite("Migration of records without heads")
struct HeadMigrationTests {
    /// A file in schema version 5 with two zones, records of each kind and a deletion.
    private static let rows = """
        INSERT INTO store (identity, sequence, time, horizon) VALUES (7, 5, 2000, 0);
        INSERT INTO zone (id, name, sequence, horizon, record_bytes, asset_bytes)
            VALUES (1, '_defaultZone', 5, 0, NULL, NULL);
        INSERT INTO record_type (id, name) VALUES (1, 'Item');
        INSERT INTO record VALUES
            (1, 1, 'plain', 1, 1, 1000, '_alice', NULL, 1000, '_alice', NULL, NULL, X'7B7D', NULL),
            (2, 1, 'device', 1, 2, 1100, '_alice', 'phone', 1200, '_bob', NULL, 'plain', X'7B7D', NULL),
            (3, 1, 'gone', 1, 4, 1100, '_alice', 'phone', 1400, '_bob', 'pad', NULL, NULL, NULL),
            (4, 1, 'photo', 1, 5, 1100, '_al', 'phone', 1500, '_al', 'phone', NULL, X'7B7D',
                '2 AbC= photo' || char(10) || '2 dEf= a b');
        """

    @Test("The migration keeps stamps, parents, files and deletions")
    func migration() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("old.sqlite")
            let found = try ReleasedSchema.all(["database"]).first { $0.testDescription == "database-5" }
            let old = try #require(found)
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { try $0.execute(sql: old.sql + Self.rows) }
            try queue.close()

            let store = try SQLiteStore(
                file: file, durability: .process, newIdentity: 1, codec: FieldJSON())
            let page = try await store.changes(ChangesRequest(zone: ZoneID.defaultName, limit: 10))
            func stamp(_ at: Int64, _ by: String, _ device: String? = nil) -> Stamp {
                Stamp(at: Timestamp(milliseconds: at), by: by, device: device)
            }
            func item(_ name: String, _ sequence: Int64, _ created: Stamp, _ modified: Stamp) -> StoredRecord
            {
                StoredRecord(
                    id: RecordID(name: name, zone: ZoneID(name: ZoneID.defaultName)), type: "Item",
                    fields: FieldBytes(bytes: Array("{}".utf8)), created: created, modified: modified,
                    sequence: sequence)
            }
            var device = item("device", 2, stamp(1100, "_alice", "phone"), stamp(1200, "_bob"))
            device.parent = "plain"
            var photo = item("photo", 5, stamp(1100, "_al", "phone"), stamp(1500, "_al", "phone"))
            photo.fields.assetSlots = [
                .init(offset: 2, fieldName: "photo", fileChecksum: "AbC="),
                .init(offset: 2, fieldName: "a b", fileChecksum: "dEf="),
            ]
            let gone = RecordID(name: "gone", zone: ZoneID(name: ZoneID.defaultName))
            #expect(
                page.packed.values == [
                    .saved(item("plain", 1, stamp(1000, "_alice"), stamp(1000, "_alice"))), .saved(device),
                    .deleted(gone, type: "Item", sequence: 4), .saved(photo),
                ])
            try await store.close()
        }
    }
}
