import RecordStore
import Records
import Testing

@Suite("Rules of shares")
struct ShareRulesTests {
    private let rules = ShareRules(name: "s", owner: "_alice", limits: Limits())

    private func draft(
        _ people: [Participant]?, _ permission: Participant.Permission? = nil
    ) -> ShareDraft {
        ShareDraft(publicPermission: permission, participants: people)
    }

    /// A share with Bob, who has accepted, and Carol, who has not.
    private func share(_ permission: Participant.Permission = .none) throws -> Share {
        let created = try rules.created(
            ShareDraft(root: "note", participants: [invited("_bob"), invited("_carol")]), shortGUID: "g")
        var share = try rules.accepted(by: "_bob", addresses: [], id: "new", on: created)
        share.publicPermission = permission
        return share
    }

    private func people(_ share: Share) -> [String?] { share.participants.map(\.person) }

    @Test("A public permission removes the people who have not accepted")
    func becomesPublic() throws {
        let new = try rules.saved(draft(nil, .readOnly), on: try share())
        #expect(people(new) == ["_alice", "_bob"])
    }

    @Test("The end of a public permission removes all but the owner and those whom the same save adds")
    func becomesPrivate() throws {
        let people = try share().participants + [invited("_dave")]
        let new = try rules.saved(draft(people, Participant.Permission.none), on: try share(.readWrite))
        #expect(self.people(new) == ["_alice", "_dave"])
        let again = Participant(id: "another", person: "_bob")
        let invited = try rules.saved(draft([again], Participant.Permission.none), on: try share(.readWrite))
        #expect(self.people(invited) == ["_alice", "_bob"])
        #expect(invited.participants[1].acceptance == .invited)
    }

    @Test("People cannot be added to a share with a public permission")
    func addedToPublic() throws {
        let old = try share(.readOnly)
        let error = #expect(throws: RecordError.self) {
            try rules.saved(draft(old.participants + [invited("_dave")]), on: old)
        }
        #expect(error?.code == .badRequest)
        #expect(error?.culprit == "_dave")
    }

    @Test("A save keeps who has accepted, and the owner")
    func acceptance() throws {
        var carol = invited("_carol", .readOnly)
        carol.acceptance = .accepted
        let new = try rules.saved(draft([carol]), on: try share())
        #expect(people(new) == ["_alice", "_carol"])
        #expect(new.participants.map(\.acceptance) == [.accepted, .invited])
        #expect(new.participants[1].permission == .readOnly)
    }

    @Test("A share has at most a hundred participants")
    func limit() throws {
        #expect(Limits().participantsPerShare == 100)
        let most = (1..<100).map { invited("_\($0)") }
        let full = try rules.saved(draft(most), on: try share())
        #expect(full.participants.count == 100)
        let error = #expect(throws: RecordError.self) {
            try rules.saved(draft(most + [invited("_100")]), on: full)
        }
        #expect(error?.code == .tooManyParticipants)
    }

    @Test("An invitation to an address is accepted by the person who owns it")
    func address() throws {
        let address = try ContactAddress(email: "eva@example.org")
        let old = try rules.created(
            ShareDraft(root: "note", participants: [Participant(id: "p", address: address)]), shortGUID: "g")
        let new = try rules.accepted(by: "_eva", addresses: [address], id: "new", on: old)
        #expect(new.participants[1].person == "_eva")
        #expect(new.participants[1].id == "p")
        #expect(new.members == ["_eva"])
        #expect(throws: RecordError.self) {
            try rules.accepted(by: "_dave", addresses: [], id: "new", on: old)
        }
        #expect(throws: RecordError.self) {
            try rules.accepted(by: "_alice", addresses: [], id: "new", on: old)
        }
    }

    @Test("A one-time invitation is for the first person who has its id, which must be long")
    func oneTime() throws {
        let id = String(repeating: "7", count: 32)
        let old = try rules.saved(draft([Participant(id: id)]), on: try share())
        let new = try rules.accepted(by: "_eva", addresses: [], id: id, on: old)
        #expect(new.participants.last?.person == "_eva")
        #expect(new.members.contains("_eva"))
        let late = #expect(throws: RecordError.self) {
            try rules.accepted(by: "_dave", addresses: [], id: id, on: new)
        }
        #expect(late?.code == .accessDenied)
        let short = #expect(throws: RecordError.self) {
            try rules.saved(draft([Participant(id: String(id.dropLast()))]), on: try share())
        }
        #expect(short?.code == .badRequest)
    }

    @Test("Participants have the names with which they accepted, and no names before (N74)")
    func names() throws {
        let old = try rules.created(
            ShareDraft(
                root: "note",
                participants: [Participant(id: "p", person: "_eva", name: .init(given: "Not Eva"))]),
            shortGUID: "g")
        #expect(old.participants[1].name == Participant.Name())
        let name = Participant.Name(given: "Eva", family: "Low")
        let new = try rules.accepted(by: "_eva", addresses: [], id: "new", name: name, on: old)
        #expect(new.participants[1].name == name)
        let again = try rules.accepted(by: "_eva", addresses: [], id: "x", name: .init(), on: new)
        #expect(again == new)
        #expect(Sharing(bytes: Sharing.share(new).bytes) == .share(new))
    }

    @Test("Terms that were stored without names can still be read")
    func olderEncoding() throws {
        func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count), 0, 0, 0] + Array(text.utf8) }
        let missing: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        var bytes: [UInt8] = [2]
        for word in ["note", "g", "NONE", "_alice", "_alice"] { bytes += text(word) }
        bytes += missing
        for word in ["OWNER", "READ_WRITE", "ACCEPTED"] { bytes += text(word) }
        let owner = Participant(
            id: "_alice", person: "_alice", role: .owner, permission: .readWrite, acceptance: .accepted)
        #expect(
            Sharing(bytes: bytes) == .share(Share(root: "note", shortGUID: "g", participants: [owner])))
    }

    @Test("A person who joins through the link has the public permission, whatever it becomes")
    func joins() throws {
        var terms = try rules.accepted(
            by: "_dave", addresses: [], id: "new", on: try share(.readOnly))
        #expect(terms.participant("_dave")?.role == .publicUser)
        #expect(terms.permission(of: "_dave") == .readOnly)
        terms.publicPermission = .readWrite
        #expect(terms.permission(of: "_dave") == .readWrite)
        #expect(terms.permission(of: "_carol") == .none)
        #expect(terms.permission(of: "_erin") == .none)
        #expect(people(rules.left(by: "_dave", on: terms)) == ["_alice", "_bob", "_carol"])
    }

    @Test("A person who joined through the link and has the permission NONE may do nothing, and leaves")
    func publicPersonWithoutPermission() throws {
        let joined = try rules.accepted(by: "_dave", addresses: [], id: "new", on: try share(.readWrite))
        #expect(joined.members.contains("_dave"))
        var terms = joined
        let place = try #require(terms.participants.firstIndex { $0.person == "_dave" })
        terms.participants[place].permission = .none
        #expect(terms.permission(of: "_dave") == .none)
        #expect(ShareRules.memberships(from: joined, to: terms).leaving == ["_dave"])
        #expect(terms.grantedPermission(of: terms.participants[place]) == .none)
        #expect(joined.grantedPermission(of: joined.participants[place]) == .readWrite)
        // Earlier rules let such a person stay a member: the next save of the share ends it.
        #expect(ShareRules.memberships(from: terms, to: terms).leaving == ["_dave"])
    }

    @Test("An administrator grants no more than they have, and does not change their own part")
    func administrator() throws {
        var old = try share()
        old.participants[1].role = .administrator
        old.participants[1].permission = .readOnly
        func outcome(
            _ permission: Participant.Permission? = nil, _ change: (inout [Participant]) -> Void
        ) -> RecordError.Code? {
            var people = old.participants
            change(&people)
            do {
                _ = try rules.saved(draft(people, permission), on: old, by: "_bob")
                return nil
            } catch {
                return error.code
            }
        }
        #expect(outcome { _ in } == nil)
        #expect(outcome { $0.append(invited("_dave", .readOnly)) } == nil)
        #expect(outcome { $0[2].permission = .readOnly } == nil)
        #expect(outcome { $0.remove(at: 2) } == nil)
        #expect(outcome { $0[1].permission = .readWrite } == .accessDenied)
        #expect(outcome { $0[1].permission = .none } == .accessDenied)
        #expect(outcome { $0[1].role = .privateUser } == .accessDenied)
        #expect(outcome { $0.append(invited("_dave")) } == .accessDenied)
        #expect(outcome(.readOnly) { _ in } == nil)
        #expect(outcome(.readWrite) { _ in } == .accessDenied)
        old.participants[2].permission = .none
        #expect(outcome { $0[2].permission = .readWrite } == .accessDenied)
        old.participants[1].permission = .readWrite
        #expect(outcome { $0[2].permission = .readWrite } == nil)
    }

    @Test("The terms of a share are decoded unchanged, and damaged bytes are refused")
    func encoding() throws {
        var terms = try share(.readWrite)
        terms.participants[1].address = try ContactAddress(phone: "+4912345")
        for sharing in [Sharing.share(terms), .root(of: "s"), .root(of: "")] {
            #expect(Sharing(bytes: sharing.bytes) == sharing)
            #expect(Sharing(bytes: sharing.bytes.dropLast()) == nil)
        }
        #expect(Sharing(bytes: [UInt8]()) == nil)
        #expect(Sharing(bytes: [9] as [UInt8]) == nil)
    }
}
