import Records
import Testing

@Suite("The head of a record")
struct RecordHeadTests {
    private func record(
        _ creator: String, _ creatorDevice: String?, _ modifier: String, _ modifierDevice: String?,
        parent: String? = nil, slots: [FieldBytes.AssetSlot] = []
    ) -> StoredRecord {
        StoredRecord(
            id: RecordID(name: "r"), type: "Item",
            fields: FieldBytes(bytes: [0x7b, 0x7d], assetSlots: slots),
            created: Stamp(at: Timestamp(milliseconds: -1), by: creator, device: creatorDevice),
            modified: Stamp(at: Timestamp(milliseconds: .max), by: modifier, device: modifierDevice),
            sequence: 9, parent: parent)
    }

    private func again(_ record: StoredRecord, from bytes: [UInt8]) -> StoredRecord {
        bytes.withUnsafeBytes { memory in
            StoredRecord(
                id: record.id, type: record.type, head: RecordHead(memory), fields: record.fields.bytes,
                sequence: record.sequence)
        }
    }

    @Test("Encoding and decoding any combination of missing and repeated parts gives the same record")
    func journey() {
        let long = String(repeating: "ä", count: 20_000)
        let slot = FieldBytes.AssetSlot(offset: 12, fieldName: "a name", fileChecksum: "x=")
        let texts: [String?] = [nil, "", "_a", "_b", String(repeating: "x", count: 126), long]
        for creator in ["", "_a", long] {
            for creatorDevice in texts {
                for modifier in ["", "_a", "_b", long] {
                    for modifierDevice in texts {
                        let all = record(
                            creator, creatorDevice, modifier, modifierDevice, parent: modifierDevice,
                            slots: modifierDevice == nil ? [] : [slot, slot])
                        #expect(again(all, from: RecordHead.bytes(of: all)) == all)
                    }
                }
            }
        }
    }

    @Test("A creator who is also the modifier is stored once")
    func size() {
        let one = RecordHead.bytes(of: record("_alice", "phone", "_alice", "phone"))
        let two = RecordHead.bytes(of: record("_alice", "phone", "_carol", "phone"))
        #expect(one.count == 16 + 7 + 6 + 1 + 1 + 1 + 1)
        #expect(two.count == one.count + 6)
    }

    @Test("A touched head has the new modifier, and seldom changes its length")
    func touch() {
        var record = record("_alice", "phone", "_alice", "phone", parent: "p")
        record.fields = FieldBytes(
            bytes: record.fields.bytes,
            assetSlots: [FieldBytes.AssetSlot(offset: 12, fieldName: "a name", fileChecksum: "x=")])
        var head = RecordHead.bytes(of: record)
        var lengths: [Int] = []
        for (person, device) in [
            ("_alice", "phone"), ("_bob", "tablet"), ("_carol", nil), ("_bob", "a longer name"),
            ("_alice", "phone"), ("_bob", String(repeating: "x", count: 100)),
        ] {
            record.modified = Stamp(at: Timestamp(milliseconds: 7), by: person, device: device)
            head = head.withUnsafeBytes { RecordHead($0).touched(record.modified) }
            #expect(again(record, from: head) == record)
            lengths.append(head.count)
        }
        #expect(lengths == [46, 64, 64, 64, 64, 192])
    }

    @Test("A truncated or damaged head is read up to the damage")
    func damage() {
        let whole = RecordHead.bytes(of: record("_alice", "phone", "_bob", nil, parent: "p"))
        for count in 0...whole.count {
            Array(whole[..<count]).withUnsafeBytes { memory in
                let head = RecordHead(memory)
                let known = RecordHead.Part.allCases.compactMap { head.text(of: $0) }
                #expect(known.count <= 4)
                #expect(known == Array(["_alice", "phone", "_bob", "p"].prefix(known.count)))
            }
        }
        for place in 16..<whole.count {
            var bytes = whole
            for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
                bytes[place] = value
                bytes.withUnsafeBytes { memory in
                    let head = RecordHead(memory)
                    for part in RecordHead.Part.allCases {
                        #expect(head.bytes(of: part)?.count ?? 0 <= memory.count)
                    }
                }
            }
        }
    }
}
