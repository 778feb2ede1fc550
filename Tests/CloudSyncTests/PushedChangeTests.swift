import Cloudlet
import Foundation
import LocalReplica
import Testing

@testable import CloudSync

@Suite("The change that a push reports to a sync")
struct PushedChangeTests {
    private func push(_ cause: String, _ values: [String: Any]) throws -> CKNotification {
        let payload: [AnyHashable: Any] = ["ck": ["nid": "n", "p": 1, cause: values] as [String: Any]]
        return try #require(CKNotification(fromRemoteNotificationDictionary: payload))
    }

    @Test("Only pushes of its own database concern a sync")
    func databases() throws {
        let own = try push("met", ["sid": "s", "dbs": 2])
        let shared = try push("met", ["sid": "s", "dbs": 3])
        #expect(PushedChange(own, in: .private) == .database)
        #expect(PushedChange(own, in: .shared) == nil)
        #expect(PushedChange(shared, in: .private) == nil)
        #expect(PushedChange(shared, in: .shared) == .database)
    }

    @Test("A zone of the private database has no owner, one of the shared database has")
    func zones() throws {
        let own = try push("fet", ["sid": "s", "zid": "Z", "zoid": "_me", "dbs": 2])
        let shared = try push("fet", ["sid": "s", "zid": "Z", "zoid": "_alice", "dbs": 3])
        #expect(PushedChange(own, in: .private) == .zone(ZoneID(name: "Z")))
        #expect(PushedChange(shared, in: .shared) == .zone(ZoneID(name: "Z", owner: "_alice")))
        #expect(PushedChange(shared, in: .private) == nil)
    }
}
