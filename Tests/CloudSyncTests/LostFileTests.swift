import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Testing

@testable import TestKit

@Suite("Sync with a server that lost a file", .timeLimit(.minutes(30)))
struct LostFileTests {
    @Test("A record arrives without its file, its zone is fetched, and the file is requested again")
    func lostFile() async throws {
        let (phone, tablet) = try await SyncWorld.pair("lostfile") { $0.pageSize = 2 }
        let content = Data("a picture that the server loses".utf8)
        let file = phone.files.appendingPathExtension("jpg")
        try content.write(to: file)
        defer { file.remove() }
        let asset = try phone.replica.keepFile(at: file)
        var bill = ReplicaRecord(type: "Bill", id: RecordID(name: "bill", zone: "Notes"))
        bill[field: "photo"] = .asset(asset)
        bill[field: "title"] = .string("chairs")
        let saved = bill
        for name in ["a", "b"] { try await phone.write("first", to: name) }
        try await phone.replica.write { try $0.save(saved) }
        for name in ["c", "d"] { try await phone.write("first", to: name) }
        try await phone.sync.waitUntilIdle()
        let lost = try phone.world.server.dataFolder.loseFiles(with: content)
        #expect(!lost.isEmpty)

        try await tablet.sync.waitUntilIdle()
        let status = await tablet.sync.status
        #expect(
            status.why
                == "everything is in sync, but the server cannot return files of 1 record (bill); "
                + "they are requested again in an hour")
        #expect(status.activity == .idle)
        #expect(try #require(status.until) > tablet.clock.now)
        for name in ["a", "b", "c", "d"] { #expect(try await tablet.text(name) == "first") }
        let held = try #require(try await tablet.replica.read { try $0.record(saved.id) })
        #expect(held[field: "title"] == .string("chairs"))
        #expect(held[field: "photo"] == .asset(asset))
        #expect(tablet.replica.file(of: asset) == nil)

        // A fetch of this record alone reports its error and no other.
        let ids = ["bill", "a"].map { CKRecord.ID(RecordID(name: $0, zone: "Notes")) }
        let found = try await tablet.database.records(for: ids)
        #expect(throws: CKError.self) { try found[ids[0]]?.get() }
        if case .failure(let error as CKError)? = found[ids[0]] {
            #expect(error.code == .assetNotAvailable)
            #expect(error.localizedDescription.contains("does not have the file"))
        }
        #expect(try found[ids[1]]?.get().recordID == ids[1])

        // Both devices can still edit that record.
        var dearer = saved
        dearer[field: "title"] = .string("tables")
        let edited = dearer
        try await phone.replica.write { try $0.save(edited) }
        try await phone.sync.waitUntilIdle()
        var noted = held
        noted[field: "note"] = .string("paid")
        let own = noted
        try await tablet.replica.write { try $0.save(own) }
        try await tablet.sync.waitUntilIdle()
        let merged = try #require(try await tablet.replica.read { try $0.record(saved.id) })
        #expect(merged[field: "title"] == .string("tables"))
        #expect(merged[field: "note"] == .string("paid"))
        #expect(try await tablet.pending() == [])

        // The server has the file again, and the waiting time is over.
        for place in lost { try content.write(to: place) }
        tablet.clock.advance(bySeconds: 3601)
        let whole = try await tablet.sync.sync(asksServer: false)
        #expect(whole.why == "everything is in sync")
        #expect(whole.until == nil)
        let here = try #require(tablet.replica.file(of: asset))
        #expect(try Data(contentsOf: here) == content)
    }
}
