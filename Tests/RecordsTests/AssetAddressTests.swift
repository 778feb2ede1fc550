import Records
import Testing

@Suite("The size of asset URLs in answers")
struct AssetAddressTests {
    private func record(assets: Int) -> StoredRecord {
        let slots = (0..<assets).map { index in
            FieldBytes.AssetSlot(
                offset: 1, fieldName: "f\(index)", fileChecksum: String(repeating: "c", count: 28))
        }
        return StoredRecord(
            id: RecordID(name: "r"), type: "Item",
            fields: FieldBytes(bytes: [0x7b, 0x7d], assetSlots: slots),
            created: Stamp(at: Timestamp(milliseconds: 1), by: "_a"),
            modified: Stamp(at: Timestamp(milliseconds: 1), by: "_a"), sequence: 1)
    }

    @Test(
        "Every URL counts, and URLs into other people's zones count more",
        arguments: [
            (AssetAddress.plain, 0, 2), (.plain, 1, 402), (.plain, 7, 2802), (.plain, 20, 8002),
            (.shared, 0, 2), (.shared, 1, 1202), (.shared, 3, 3602), (.shared, 20, 24_002),
        ])
    func counted(addresses: AssetAddress, assets: Int, bytes: Int) {
        let record = record(assets: assets)
        #expect(record.fields.answerBytes(addresses) == bytes)
        #expect(record.answerBytes(addresses) == bytes)
        let packed = PackedChanges([.saved(record), .saved(record)], zone: record.id.zone, addresses)
        #expect(packed.size.contentBytes == 2 * bytes)
        #expect(PackedChanges.runs(of: [record], addresses).map(\.size.contentBytes) == [bytes])
    }
}
