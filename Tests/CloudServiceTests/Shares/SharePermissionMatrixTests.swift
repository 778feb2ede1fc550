import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The permissions of shares", .timeLimit(.minutes(30)))
struct SharePermissionMatrixTests {
    @Test(
        "Every role gets the expected result for every call and target",
        arguments: ShareRole.allCases, ShareExtent.allCases)
    func cells(_ role: ShareRole, _ extent: ShareExtent) async throws {
        try await withServer(.loopback) { world in
            let fixture = try await ShareFixture.begin(world, role, extent)
            let rules = ShareRules(role: role, extent: extent)
            for call in ShareCall.allCases {
                // The invited person accepts once only, at the end.
                if call == .acceptAgain, role == .invited { continue }
                for target in call.targets {
                    let got = try await fixture.outcome(of: call, target)
                    let cell = "\(role) calls \(call) on \(target) of the \(extent)"
                    #expect(got == rules.expected(call, target), "\(cell)")
                }
            }
            if role == .owner { return }
            // Nothing that others tried has removed the zone.
            let note = try await world.lookup("private", "note", zone: "Notes", as: fixture.story.alice)
            #expect(note.records == ["ok"], "\(role), \(extent)")
        }
    }

    @Test(
        "Lists and feeds of zones show the shared zone to members only",
        arguments: ShareRole.allCases, ShareExtent.allCases)
    func zones(_ role: ShareRole, _ extent: ShareExtent) async throws {
        if role == .anonymous || role == .serverKey { return }
        try await withServer(.loopback) { world in
            let fixture = try await ShareFixture.begin(world, role, extent)
            for call in [ShareCall.zonesList, .databaseChanges, .zonesChanges] {
                let zones = try await fixture.reply(to: call, .root).json["zones"].elements
                let shown = zones.filter { $0["deleted"] != true }.map { $0["zoneID"] }
                let names = shown.compactMap { $0["zoneName"].text }.filter { $0 != "_defaultZone" }
                #expect(names == ShareRules(role: role).zones, "\(role) calls \(call)")
                let owners = Set(shown.compactMap { $0["ownerRecordName"].text })
                #expect(owners.isSubset(of: [fixture.story.alice.recordName]), "\(role) calls \(call)")
            }
        }
    }

    @Test(
        "Queries and feeds show each member the same records",
        arguments: ShareRole.allCases, ShareExtent.allCases)
    func visible(_ role: ShareRole, _ extent: ShareExtent) async throws {
        if role != .owner, !role.isMember { return }
        try await withServer(.loopback) { world in
            let fixture = try await ShareFixture.begin(world, role, extent)
            let notes: Set<String> = ["note", "child", "grandchild", "secret", "leaf"]
            let expected = ShareRules(role: role, extent: extent).visible(notes)
            let found = try await fixture.reply(to: .query, .root).json["records"].texts("recordName")
            let names = found.compactMap { $0 }
            #expect(Set(names) == expected, "\(role) calls query")
            let page = try await fixture.reply(to: .zoneChanges, .root).json["zones"][0]
            let changed = page["records"].texts("recordName").compactMap { $0 }
            #expect(Set(changed) == expected.union([fixture.story.share]), "\(role) calls zoneChanges")
        }
    }

    @Test("A record outside of the share is answered like a missing one", arguments: ShareRole.allCases)
    func hidden(_ role: ShareRole) async throws {
        guard role.isMember else { return }
        try await withServer(.loopback) { world in
            let fixture = try await ShareFixture.begin(world, role)
            for call in [ShareCall.lookup, .delete, .createBelow, .setParent] {
                let hidden = try await fixture.outcome(of: call, .outside)
                let missing = try await fixture.outcome(of: call, .missing)
                #expect(hidden == missing, "\(role) calls \(call)")
            }
        }
    }

    @Test(
        "When the owner deletes a root without records below it, the share ends for everybody",
        arguments: ShareRole.allCases)
    func rootDeleted(_ role: ShareRole) async throws {
        try await withServer(.loopback) { world in
            let fixture = try await ShareFixture.begin(world, role, hasRecordsBelow: false)
            let alice = fixture.story.alice
            let root = operation("delete", "note", type: "Note")
            #expect(try await world.modify("private", [root], zone: "Notes", as: alice).records == ["ok"])
            let gone = try await world.lookup("private", "note", "s", "secret", zone: "Notes", as: alice)
            let missing = "NOT_FOUND: Record not found"
            #expect(gone.records == [missing, missing, "ok"])
            let rules = ShareRules(role: role)
            let calls: [ShareCall] = [
                .lookup, .query, .zoneChanges, .zonesLookup, .downloadOfMember, .resolve, .acceptAgain,
                .requestAccess,
            ]
            for call in calls {
                let got = try await fixture.outcome(of: call, .root)
                #expect(got == rules.expectedAfterEnd(call), "\(role) calls \(call)")
            }
        }
    }
}
