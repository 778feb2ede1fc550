import Records
import Testing

@Suite("Small value types")
struct VocabularyTests {
    @Test("Every system field is parsed from each of its names", arguments: SystemField.allCases)
    func systemFields(field: SystemField) {
        #expect(SystemField(spelling: field.rawValue) == field)
        #expect(SystemField(spelling: field.wireName) == field)
    }

    @Test(
        "Key paths of CKRecord are names of system fields too",
        arguments: [
            ("recordID", SystemField.recordName), ("___recordId", .recordName),
            ("creationDate", .createdTimestamp),
            ("creatorUserRecordID", .createdUserRecordName), ("modificationDate", .modifiedTimestamp),
            ("lastModifiedUserRecordID", .modifiedUserRecordName),
        ]
    )
    func keyPaths(spelling: String, field: SystemField) {
        #expect(SystemField(spelling: spelling) == field)
        #expect(SystemField(spelling: spelling + "x") == nil)
    }

    @Test("Change tags are short, and different for different changes")
    func changeTags() {
        #expect(ChangeTag(sequence: 35).text == "z")
        #expect(ChangeTag(sequence: 36).text == "10")
        #expect(Set((0..<1000).map { ChangeTag(sequence: $0) }).count == 1000)
    }

    @Test("Times advance by seconds and compare")
    func timestamps() {
        let start = Timestamp(milliseconds: 500)
        #expect(start.advanced(bySeconds: 2) == Timestamp(milliseconds: 2500))
        #expect(start.advanced(bySeconds: -1) < start)
    }

    @Test("A reference without a zone has its target in the zone of its record")
    func references() {
        let home = ZoneID(name: "Notes", owner: "_a")
        #expect(Reference(recordName: "r").target(from: home) == RecordID(name: "r", zone: home))
        let other = ZoneID(name: "Trips")
        #expect(Reference(recordName: "r", zone: other).target(from: home).zone == other)
        #expect(ZoneID.default.isDefault && !home.isDefault)
    }

    @Test("Exactly four codes are the fault of the service", arguments: RecordError.Code.allCases)
    func faults(code: RecordError.Code) {
        let fault = RecordError(code, "x").fault
        let service: Set<RecordError.Code> = [.internalError, .throttled, .tryAgainLater, .zoneBusy]
        #expect((fault == .service) == service.contains(code))
    }

    @Test("The description of an error has reason, culprit and next step")
    func description() {
        let error = RecordError(.badRequest, "wrong", culprit: "f", nextStep: "correct it")
        #expect(error.description == "wrong [f] - correct it")
        #expect(RecordError(.badRequest, "wrong").description == "wrong")
    }

    @Test("The properties of each kind of operation are consistent", arguments: RecordOperation.Kind.allCases)
    func operationKinds(kind: RecordOperation.Kind) {
        #expect(!(kind.isDelete && kind.mayCreate))
        #expect(!(kind.isDelete && kind.isReplace))
        #expect(kind.comparesTag == [.update, .replace, .delete].contains(kind))
    }

    @Test("Each negated comparator has its own positive comparator")
    func comparators() {
        let negated = Comparator.allCases.filter { $0.negated != nil }
        #expect(negated.allSatisfy { $0.rawValue.contains("NOT_") })
        #expect(negated.count == Comparator.allCases.filter { $0.rawValue.contains("NOT_") }.count)
        #expect(Set(negated.compactMap(\.negated)).count == negated.count)
    }

    @Test("Automatic indexes make only strings searchable, and skip assets", arguments: FieldType.allCases)
    func automaticIndexes(type: FieldType) {
        let indexes = IndexSet.automatic(for: type)
        #expect(indexes.contains(.searchable) == (type == .scalar(.string)))
        #expect(type.element != .asset || indexes.isEmpty)
    }
}
