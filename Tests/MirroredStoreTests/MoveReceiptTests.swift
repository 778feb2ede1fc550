import Foundation
import Records
import Testing

@testable import LocalReplica
@testable import MirroredStore

@Suite("The receipt of a moved record")
struct MoveReceiptTests {
    @Test("A receipt of an earlier version, without codes, is read")
    func withoutCodes() throws {
        var record = ReplicaRecord(type: "CD_Post", id: RecordID(name: "p", zone: "share"))
        let text = #"{"fields":{"CD_title":"0123456789abcdef"},"from":"home"}"#
        record.fields[MoveReceipt.field] = Field(.bytes(Array(text.utf8)))
        let receipt = try #require(MoveReceipt(in: record))
        #expect(receipt.from == "home")
        #expect(receipt.fields == ["CD_title": "0123456789abcdef"])
        #expect(receipt.codes == [:])
        #expect(receipt.secret == nil)
    }
}
