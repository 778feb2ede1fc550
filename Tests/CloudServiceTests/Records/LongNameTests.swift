import Records
import Testing

@testable import CloudService

@Suite("Names above the maximum length")
struct LongNameTests {
    @Test("A refused record is an exception of the client change only if its name is valid")
    func exceptions() {
        let names = ["fine", "refused", String(repeating: "x", count: 256)]
        let refusal = RecordError(.badRequest, "refused", nextStep: "")
        var draft = ModifyDraft(
            operations: names.map { name in
                (RecordOperation(.create, recordName: name), name == "fine" ? nil : refusal)
            },
            zone: "Z", longestName: 255)
        draft.clientChange = ClientChange(token: [1], exceptions: [])
        #expect(draft.acceptedClientChange?.exceptions == ["refused"])
    }

    @Test("The names in a reference have at most as many bytes as a record's name", arguments: [255, 256])
    func references(length: Int) throws {
        let long = String(repeating: "x", count: length)
        let references = [
            Reference(recordName: long), Reference(recordName: "a", zone: ZoneID(name: long)),
            Reference(recordName: "a", zone: ZoneID(name: "Z", owner: long)),
        ]
        for reference in references {
            for value in [FieldValue.reference(reference), .list(.reference, [.reference(reference)])] {
                var operation = RecordOperation(.create, recordName: "r")
                operation.recordType = "T"
                operation.fields = ["link": Field(value)]
                let checked = try OperationRules(limits: Limits()).checked(
                    [operation], in: "Z", of: "_a"
                ) { "" }
                #expect(checked.map { $0.error?.code } == [length > 255 ? .badRequest : nil])
                #expect(length == 255 || checked[0].error?.culprit == "link")
            }
        }
    }

    @Test("A reference with NUL in a name is refused")
    func nul() throws {
        let names = [
            Reference(recordName: "a\0b"), Reference(recordName: "a", zone: ZoneID(name: "Z\0")),
            Reference(recordName: "a", zone: ZoneID(name: "Z", owner: "\0")),
        ]
        for reference in names {
            var operation = RecordOperation(.create, recordName: "r", recordType: "T")
            operation.fields = ["link": Field(.reference(reference))]
            let checked = try OperationRules(limits: Limits()).checked([operation], in: "Z", of: "_a") { "" }
            #expect(checked.map { $0.error?.culprit } == ["link"])
        }
    }
}
