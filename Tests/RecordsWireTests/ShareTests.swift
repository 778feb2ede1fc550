import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Encoding of shares")
struct ShareTests {
    private static let terms = Share(
        root: "trip", shortGUID: "guid", publicPermission: .none,
        participants: [
            Participant(
                id: "1", person: "_me", role: .owner, permission: .readWrite, acceptance: .accepted),
            Participant(id: "2", address: .email("eva@example.org"), permission: .readWrite),
            Participant(
                id: "3", person: "_you", address: .phone("+4312345"), acceptance: .accepted,
                name: Participant.Name(given: "You", family: "Too")),
        ])

    private static func operations(_ record: String) throws -> [RecordOperation] {
        let body = #"{"operations":[{"operationType":"create","record":\#(record)}]}"#
        return try RecordsModifyRequest(bytes: Array(body.utf8)).batch.operations
    }

    @Test("A share is decoded with its root, permission and participants, in both spellings")
    func read() throws {
        let record = #"""
            {"recordName":"s","recordType":"cloudkit.share","forRecord":{"recordName":"trip",
            "recordChangeTag":"3"},"publicPermission":"READ_ONLY","participants":[
            {"type":"PRIVATE_USER","permission":"READ_WRITE","acceptanceStatus":"PENDING",
            "userIdentity":{"lookupInfo":{"emailAddress":"Eva@example.org"}}},
            {"participantId":"9","type":"USER","acceptanceStatus":"REMOVED","userIdentity":{}},
            {"participantId":"3","type":"ADMINISTRATOR","userIdentity":{"userRecordName":"_you"}}]}
            """#
        let draft = ShareDraft(
            root: "trip", rootTag: ChangeTag(text: "3"), publicPermission: .readOnly,
            participants: [
                Participant(id: "", address: .email("eva@example.org"), permission: .readWrite),
                Participant(id: "3", person: "_you", role: .administrator),
            ])
        let operation = try Self.operations(record)[0]
        #expect(operation.share == .save(draft))
        let request = RecordsModifyRequest(ModifyRequest([operation]))
        #expect(try RecordsModifyRequest(bytes: request.encoded()) == request)
    }

    @Test(
        "An invalid share is refused with the path of the invalid value",
        arguments: [
            (#""publicPermission":"ALL""#, "publicPermission"),
            (#""participants":{}"#, "participants"),
            (#""participants":[{"type":"KING"}]"#, "participants[0].type"),
            (#""forRecord":{}"#, "forRecord.recordName"),
            (#""createShortGUID":"yes""#, "createShortGUID"),
        ])
    func refused(member: String, culprit: String) throws {
        let record = #"{"recordName":"s","recordType":"cloudkit.share",\#(member)}"#
        let error = #expect(throws: RecordError.self) { try Self.operations(record) }
        #expect(error?.culprit == "operations[0].record." + culprit)
    }

    @Test("The answer for a share contains its people, and the answer for a root names the share")
    func answer() throws {
        let stamp = Stamp(at: Timestamp(milliseconds: 1), by: "_me")
        var record = StoredRecord(
            id: RecordID(name: "s", zone: ZoneID(name: "Trips")), type: Share.recordType,
            fields: FieldJSON().encode([:]), created: stamp, modified: stamp, sequence: 5)
        record.sharing = .share(Self.terms)
        let context = AnswerContext(
            owner: "_me", person: "_you", uuid: "U", addsDetails: true, shareAddress: "http://x/share/")
        var json = JSONWriter()
        RecordAnswerWriter(context).write(record, to: &json)
        let read = try Record(JSONDocument(json.bytes).root, home: ZoneID(name: "Trips"))
        var expected = Self.terms
        expected.callerID = "3"
        expected.url = "http://x/share/guid"
        #expect(read.sharing == .share(expected))
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(text.contains(#""owner":{"participantId":"1","type":"OWNER""#))
        #expect(text.contains(#""currentUserParticipant":{"participantId":"3","type":"USER""#))
        record.type = "Trip"
        record.sharing = .root(of: "s")
        record.shortGUID = "guid"
        let page = RecordAnswerWriter(context).answer(
            PackedChanges.runs(of: [record]), continuationMarker: nil)
        #expect(
            String(decoding: page, as: UTF8.self).contains(#""shortGUID":"guid","share":{"recordName":"s"}"#))
    }

    @Test("Only people who manage the participants see the ids of one-time links")
    func oneTime() throws {
        var terms = Self.terms
        terms.participants.append(Participant(id: "secret"))
        func text(for person: String) -> String {
            var record = StoredRecord(
                id: RecordID(name: "s", zone: ZoneID(name: "Trips")), type: Share.recordType,
                fields: FieldJSON().encode([:]), created: Stamp(at: Timestamp(milliseconds: 1), by: "_me"),
                modified: Stamp(at: Timestamp(milliseconds: 1), by: "_me"), sequence: 5)
            record.sharing = .share(terms)
            var json = JSONWriter()
            RecordAnswerWriter(AnswerContext(owner: "_me", person: person, uuid: "U")).write(
                record, to: &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
        #expect(text(for: "_me").contains("secret"))
        #expect(!text(for: "_you").contains("secret"))
    }

    @Test("Answers to requests for access are decoded unchanged")
    func requests() throws {
        var draft = ShareDraft(root: "trip", participants: [])
        draft.allowsRequests = true
        (draft.requesters, draft.blocked) = (["_eve"], [])
        let operation = RecordOperation(
            .create, recordName: "s", recordType: Share.recordType, share: .save(draft))
        let request = RecordsModifyRequest(ModifyRequest([operation]))
        #expect(try RecordsModifyRequest(bytes: request.encoded()) == request)
        let wrong = #"{"recordName":"s","recordType":"cloudkit.share","requesters":[{"userIdentity":{}}]}"#
        let error = #expect(throws: RecordError.self) { try Self.operations(wrong) }
        #expect(error?.culprit == "operations[0].record.requesters[0].userIdentity.userRecordName")
    }

    @Test("Only people who manage the participants see who asks for access and who is blocked")
    func requesters() throws {
        var terms = Self.terms
        terms.allowsRequests = true
        let eve = AccessRequester(person: "_eve", name: Participant.Name(given: "Eve"))
        (terms.requesters, terms.blocked) = ([eve], [AccessRequester(person: "_mallory")])
        terms.participants[2].isApprovedRequester = true
        func read(by person: String) throws -> Share? {
            let stamp = Stamp(at: Timestamp(milliseconds: 1), by: "_me")
            var record = StoredRecord(
                id: RecordID(name: "s", zone: ZoneID(name: "Trips")), type: Share.recordType,
                fields: FieldJSON().encode([:]), created: stamp, modified: stamp, sequence: 5)
            record.sharing = .share(terms)
            var json = JSONWriter()
            let context = AnswerContext(owner: "_me", person: person, uuid: "U", addsDetails: true)
            RecordAnswerWriter(context).write(record, to: &json)
            return try Record(JSONDocument(json.bytes).root, home: ZoneID(name: "Trips")).sharing?.terms
        }
        let own = try #require(try read(by: "_me"))
        #expect(own.allowsRequests)
        #expect(own.requesters == terms.requesters)
        #expect(own.blocked == terms.blocked)
        #expect(own.participants.map(\.isApprovedRequester) == [false, false, true])
        let other = try #require(try read(by: "_you"))
        #expect(other.allowsRequests)
        #expect(other.requesters.isEmpty && other.blocked.isEmpty)
    }

    @Test("A resolved share has the root that the answer names")
    func rootName() throws {
        let share = #"""
            {"recordName":"s","recordType":"cloudkit.share","fields":{},"publicPermission":"NONE",
            "participants":[{"participantId":"1","type":"OWNER","userIdentity":{"userRecordName":"_me"}}]}
            """#
        func root(_ name: String) throws -> String? {
            let body = """
                {"results":[{"containerIdentifier":"c","databaseScope":"SHARED","zoneID":{"zoneName":"Z"},
                "rootRecordName":"\(name)","ownerIdentity":{"userRecordName":"_me"},"share":\(share)}]}
                """
            let entry = try #require(try ResolvedShare.entries(bytes: Array(body.utf8)).first)
            return try entry.get().share.sharing?.terms?.root
        }
        #expect(try root("trip") == "trip")
        #expect(try root(Share.zoneWideName) == nil)
    }

    @Test("A short GUID is requested in either spelling", arguments: ["createShortGUID", "createShortGuid"])
    func shortGUID(key: String) throws {
        for wish in [true, false] {
            let record = #"{"recordName":"r","recordType":"Note","\#(key)":\#(wish)}"#
            #expect(try Self.operations(record)[0].wantsShortGUID == wish)
        }
    }

    @Test("Requests that resolve shares are decoded unchanged")
    func resolve() throws {
        let request = RecordsResolveRequest([
            RecordsResolveRequest.Item("a"),
            RecordsResolveRequest.Item("b", wantsRoot: true, rootKeys: ["title"]),
        ])
        #expect(try RecordsResolveRequest(bytes: request.encoded()) == request)
        let plain = try RecordsResolveRequest(bytes: Array(#"{"shortGUIDs":["a"]}"#.utf8))
        #expect(plain.items == [RecordsResolveRequest.Item("a")])
    }
}
