import Foundation
import Testing

@testable import Cloudlet

@Suite("System fields as bytes")
struct SystemFieldsTests {
    private static let names = ["n", "\"ä\\/\u{1}\u{7F}\u{2028} 😀", "", String(repeating: "x", count: 255)]

    private func state(_ name: String, isWhole: Bool) -> CKRecord.State {
        let zone = CKRecordZone.ID(
            zoneName: name, ownerName: isWhole ? "_somebody" : CKCurrentUserDefaultName)
        let id = CKRecord.ID(recordName: name, zoneID: zone)
        var state = CKRecord.State(type: name, id: id)
        guard isWhole else { return state }
        state.changeTag = name
        state.creator = CKRecord.ID(recordName: name)
        state.created = Date(timeIntervalSinceReferenceDate: 798_000_000.123)
        state.modifier = CKRecord.ID(recordName: CKCurrentUserDefaultName)
        state.modified = Date(timeIntervalSinceReferenceDate: -1)
        state.parent = CKRecord.Reference(recordID: id, action: .none)
        state.share = CKRecord.Reference(recordID: CKRecord.ID(recordName: name), action: .deleteSelf)
        return state
    }

    @Test(
        "Restored system fields are those of the record, whatever they contain", arguments: names,
        [false, true])
    func restored(_ name: String, isWhole: Bool) throws {
        let state = state(name, isWhole: isWhole)
        let read = try #require(
            Archive.payload(CKRecord.State.self, in: Data(state.systemFields(sharing: nil))))
        let coded = try JSONDecoder().decode(CKRecord.State.self, from: try Archive.json(of: state))
        for other in [read, coded] {
            #expect(other.type == state.type && other.id == state.id)
            #expect(other.changeTag == state.changeTag)
            #expect(other.creator == state.creator && other.created == state.created)
            #expect(other.modifier == state.modifier && other.modified == state.modified)
            #expect(other.parent == state.parent && other.share == state.share)
            #expect(other.fields.isEmpty && !other.isParentChanged)
        }
    }
}
