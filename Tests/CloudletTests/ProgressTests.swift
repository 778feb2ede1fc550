import CloudKit
import CloudletTesting
import Foundation
import Synchronization
import Testing

@Suite("Progress")
struct ProgressTests {
    @Test("Saves and fetches report progress for each record during file transfers, and 1 at the end")
    func progress() async throws {
        try await withFixture { fixture in
            let file = fixture.folder.appendingPathComponent("big")
            try Data(repeating: 7, count: 3 << 20).write(to: file)
            let record = party("a")
            record["photo"] = CKAsset(fileURL: file)
            let saved = Mutex<[Double]>([])
            let save = CKModifyRecordsOperation(recordsToSave: [record, party("b")])
            save.database = fixture.alice.privateCloudDatabase
            save.perRecordProgressBlock = { record, done in
                if record.recordID.recordName == "a" { saved.withLock { $0.append(done) } }
            }
            await save.run()
            let fetched = Mutex<[String: [Double]]>([:])
            let order = Log()
            let ids = [record.recordID, CKRecord.ID(recordName: "b"), CKRecord.ID(recordName: "none")]
            let fetch = CKFetchRecordsOperation(recordIDs: ids)
            fetch.database = fixture.tablet.privateCloudDatabase
            fetch.perRecordProgressBlock = { id, done in
                fetched.withLock { $0[id.recordName, default: []].append(done) }
            }
            fetch.perRecordResultBlock = { id, _ in
                order.add("\(id.recordName) \(fetched.withLock { $0[id.recordName]?.last ?? 0 })")
            }
            await fetch.run()
            let (up, down) = (saved.withLock { $0 }, fetched.withLock { $0 })
            #expect(up.last == 1)
            #expect(up == up.sorted())
            #expect(down["a"]?.count ?? 0 > 2)
            #expect(down["a"] == down["a"]?.sorted())
            #expect(down["a"]?.dropLast().allSatisfy { $0 < 1 } == true)
            #expect(down["b"] == [1])
            #expect(down["none"] == nil)
            #expect(order.all == ["a 1.0", "b 1.0", "none 0.0"])
        }
    }
}
