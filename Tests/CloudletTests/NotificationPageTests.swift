import CloudKit
import CloudletTesting
import Foundation
import Synchronization
import Testing

/// Tests that `resultsLimit` limits a page of notifications, as it does for queries and record changes.
@Suite("Pages of notifications", .timeLimit(.minutes(2)))
struct NotificationPageTests {
    /// The page that an operation fetched.
    private struct Page: Sendable {
        var names: [String] = []
        var token: CKServerChangeToken?
        var moreComing = false
    }

    @available(*, deprecated, message: "The operation is deprecated, as in CloudKit.")
    private static func fetch(
        _ container: CKContainer, since token: CKServerChangeToken?, limit: Int
    ) async throws -> Page {
        let operation = CKFetchNotificationChangesOperation(previousServerChangeToken: token)
        operation.resultsLimit = limit
        let page = Gathered()
        operation.notificationChangedBlock = { notification in
            page.add((notification as? CKQueryNotification)?.recordID?.recordName ?? "?")
        }
        let next: CKServerChangeToken? = try await withCheckedThrowingContinuation { ended in
            operation.fetchNotificationChangesCompletionBlock = { token, error in
                if let error { ended.resume(throwing: error) } else { ended.resume(returning: token) }
            }
            container.add(operation)
        }
        return Page(names: page.names, token: next, moreComing: operation.moreComing)
    }

    @Test("`resultsLimit` bounds the notifications of one fetch, and the next fetch has the others")
    @available(*, deprecated, message: "The operation is deprecated, as in CloudKit.")
    func limit() async throws {
        try await withFixture { fixture in
            let party = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "p"))
            try await fixture.bob.publicCloudDatabase.save(party)
            let subscription = CKQuerySubscription(
                recordType: "Party", predicate: NSPredicate(value: true), subscriptionID: "all",
                options: [.firesOnRecordCreation])
            subscription.notificationInfo = CKSubscription.NotificationInfo(alertBody: "A party")
            try await fixture.alice.publicCloudDatabase.save(subscription)
            for name in ["a", "b", "c", "d", "e"] {
                try await fixture.bob.publicCloudDatabase.save(
                    CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: name)))
            }
            var (pages, token): ([Page], CKServerChangeToken?) = ([], nil)
            repeat {
                let page = try await Self.fetch(fixture.alice, since: token, limit: 2)
                pages.append(page)
                token = page.token
            } while pages.last?.moreComing == true && pages.count < 9
            #expect(pages.map(\.names) == [["a", "b"], ["c", "d"], ["e"]])
            #expect(pages.map(\.moreComing) == [true, true, false])
            let whole = try await Self.fetch(fixture.alice, since: nil, limit: 0)
            #expect(whole.names == ["a", "b", "c", "d", "e"])
        }
    }
}

/// Collects the record names that the blocks of an operation receive.
private final class Gathered: Sendable {
    private let found = Mutex<[String]>([])

    func add(_ name: String) { found.withLock { $0.append(name) } }

    var names: [String] { found.withLock { $0 } }
}
