import RecordStore
import Records
import Testing

@Suite("Rules of requests for access")
struct ShareRequestRulesTests {
    private let rules = ShareRules(name: "s", owner: "_alice", limits: Limits())
    private let eve = AccessRequester(person: "_eve", name: Participant.Name(given: "Eve"))

    /// A share with Bob as participant that accepts requests for access, and has a request by Eve.
    private func share() throws -> Share {
        var draft = ShareDraft(root: "note", participants: [invited("_bob")])
        draft.allowsRequests = true
        return try rules.requested(by: eve, on: try rules.created(draft, shortGUID: "g"))
    }

    private func saved(_ old: Share, _ change: (inout ShareDraft) -> Void) throws -> Share {
        var draft = ShareDraft()
        change(&draft)
        return try rules.saved(draft, on: old)
    }

    private func code(_ requester: String, on share: Share) -> RecordError.Code? {
        do {
            _ = try rules.requested(by: AccessRequester(person: requester), on: share)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A person who is not invited asks once; a share that takes no requests seems missing")
    func requested() throws {
        let old = try share()
        #expect(old.requesters == [eve])
        #expect(try rules.requested(by: eve, on: old) == old)
        for known in ["_alice", "_bob"] { #expect(code(known, on: old) == .participantAlreadyInvited) }
        var other = old
        other.publicPermission = .readOnly
        #expect(code("_dave", on: other) == .participantAlreadyInvited)
        other = old
        other.allowsRequests = false
        #expect(code("_dave", on: other) == .notFound)
        other = old
        other.blocked = [AccessRequester(person: "_dave")]
        #expect(code("_dave", on: other) == .notFound)
    }

    @Test("To a blocked person the share is missing, however the person is invited")
    func blocked() throws {
        let address = try ContactAddress(email: "eve@example.org")
        let link = String(repeating: "7", count: 32)
        var old = try saved(try share()) { $0.blocked = ["_eve"] }
        old.participants += [Participant(id: "p", address: address), Participant(id: link)]
        var open = try share()
        (open.publicPermission, open.blocked) = (.readWrite, [eve])
        for (terms, addresses, id) in [(old, [address], "x"), (old, [], link), (open, [], "x")] {
            let error = #expect(throws: RecordError.self) {
                try rules.accepted(by: "_eve", addresses: Set(addresses), id: id, on: terms)
            }
            #expect(error?.code == .notFound)
            #expect(code("_eve", on: terms) == .notFound)
            let other = try rules.accepted(by: "_dave", addresses: Set(addresses), id: id, on: terms)
            #expect(other.members.contains("_dave"))
        }
    }

    @Test("The number of waiting people is limited to that of participants")
    func limit() throws {
        var full = try share()
        full.requesters = (0..<100).map { AccessRequester(person: "_\($0)") }
        #expect(code("_dave", on: full) == .limitExceeded)
        full.requesters.removeLast()
        #expect(code("_dave", on: full) == nil)
    }

    @Test("A requester who is invited counts as approved, and no longer waits")
    func approved() throws {
        let new = try saved(try share()) { $0.participants = [invited("_bob"), invited("_eve", .readOnly)] }
        #expect(new.requesters == [])
        #expect(new.participants.map(\.isApprovedRequester) == [false, false, true])
        #expect(new.participants[2].acceptance == .invited)
        #expect(new.participants[2].name.given == "Eve")
        let later = try rules.accepted(by: "_eve", addresses: [], id: "x", on: new)
        #expect(later.participants[2].isApprovedRequester)
        #expect(Sharing(bytes: Sharing.share(later).bytes) == .share(later))
    }

    @Test("A requester who accepts an invitation to an address or a one-time link no longer waits")
    func acceptedOtherwise() throws {
        let address = try ContactAddress(email: "eve@example.org")
        let link = String(repeating: "7", count: 32)
        let dave = AccessRequester(person: "_dave")
        let asked = try rules.requested(by: dave, on: try share())
        let guests = [invited("_bob"), Participant(id: "p", address: address), Participant(id: link)]
        let old = try saved(asked) { $0.participants = guests }
        #expect(old.requesters == [eve, dave])
        for (addresses, id) in [([address], "x"), ([], link)] {
            let new = try rules.accepted(by: "_eve", addresses: Set(addresses), id: id, on: old)
            #expect(new.members == ["_eve"])
            #expect(new.requesters == [dave])
        }
    }

    @Test("A denied person may ask again; a blocked one may not, and is no longer a participant")
    func denied() throws {
        let denied = try saved(try share()) { $0.requesters = [] }
        #expect(denied.requesters == [])
        #expect(code("_eve", on: denied) == nil)
        let blocked = try saved(try share()) { $0.blocked = ["_eve", "_bob", "_eve"] }
        #expect(blocked.requesters == [])
        #expect(blocked.blocked.map(\.person) == ["_eve", "_bob"])
        #expect(blocked.blocked[0].name.given == "Eve")
        #expect(blocked.participants.map(\.person) == ["_alice"])
        #expect(code("_eve", on: blocked) == .notFound)
        let error = #expect(throws: RecordError.self) {
            try saved(blocked) { $0.participants = [invited("_eve")] }
        }
        #expect(error?.reason == "a blocked person cannot be invited")
        let free = try saved(blocked) { $0.blocked = ["_bob"] }
        #expect(code("_eve", on: free) == nil)
        let invitedAgain = try saved(blocked) {
            $0.blocked = []
            $0.participants = [invited("_eve")]
        }
        #expect(invitedAgain.participants.map(\.person) == ["_alice", "_eve"])
    }

    @Test("Waiting requests are removed when requests are denied, and when everybody may join")
    func closed() throws {
        #expect(try saved(try share()) { $0.allowsRequests = false }.requesters == [])
        #expect(try saved(try share()) { $0.publicPermission = .readOnly }.requesters == [])
        #expect(try saved(try share()) { _ in }.requesters == [eve])
    }

    @Test("The list of blocked people is limited in number and length, and never contains the owner")
    func blockLimit() throws {
        let most = (0..<100).map { "_\($0)" }
        #expect(try saved(try share()) { $0.blocked = most }.blocked.count == 100)
        for (names, code) in [
            (most + ["_x"], RecordError.Code.limitExceeded),
            ([String(repeating: "x", count: 256)], .badRequest), (["_alice"], .badRequest),
        ] {
            let error = #expect(throws: RecordError.self) { try saved(try share()) { $0.blocked = names } }
            #expect(error?.code == code)
        }
    }

    @Test("Terms with requests are decoded unchanged, and truncated bytes are refused")
    func bytes() throws {
        var terms = try share()
        terms.blocked = [AccessRequester(person: "_mallory", name: Participant.Name(family: "M"))]
        let bytes = Sharing.share(terms).bytes
        #expect(Sharing(bytes: bytes) == .share(terms))
        for count in 1..<bytes.count {
            #expect(Sharing(bytes: bytes.prefix(count)) != .share(terms))
        }
        var plain = terms
        (plain.allowsRequests, plain.requesters, plain.blocked) = (false, [], [])
        #expect(Sharing.share(plain).bytes.first == 3)
    }
}
