import CloudKit
import CoreLocation
import Foundation
import Records
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Hostile input")
struct MutationTests {
    private static let seed: UInt64 = 20_140_602
    private static let rounds = 100_000

    /// A class that can be read from an archive, with an object of the class.
    // Sendable because the object is never changed.
    struct Kind: @unchecked Sendable, CustomTestStringConvertible {
        let name: String
        let object: any NSObject & NSSecureCoding
        let read: @Sendable (NSCoder) -> NSObject?

        init<Object: NSObject & NSSecureCoding>(_ object: Object) {
            name = "\(Object.self)"
            self.object = object
            read = { Object(coder: $0) }
        }

        var testDescription: String { name }
    }

    static let kinds: [Kind] = {
        let zone = CKRecordZone.ID(zoneName: "Z", ownerName: "_me")
        let id = CKRecord.ID(recordName: "a", zoneID: zone)
        let record = CKRecord(recordType: "T", recordID: id)
        record["text"] = "hello"
        record["list"] = [1, 2]
        record["date"] = Date(timeIntervalSince1970: 5)
        record["place"] = CLLocation(latitude: 1, longitude: 2)
        record["asset"] = CKAsset(fileURL: URL(fileURLWithPath: "/x"))
        record.encryptedValues["half"] = 0.5
        record.setParent(CKRecord.ID(recordName: "above", zoneID: zone))
        let share = CKShare(rootRecord: record)
        share[CKShare.SystemFieldKey.title] = "Coffee"
        let query = CKQuery(
            recordType: "T", predicate: NSPredicate(format: "a == %@ AND b IN %@ AND c > 1 + 2", "x", [1, 2]))
        query.sortDescriptors = [NSSortDescriptor(key: "a", ascending: false)]
        let info = CKSubscription.NotificationInfo(alertBody: "Hi", desiredKeys: ["a"], shouldBadge: true)
        let subscription = CKQuerySubscription(
            recordType: "T", predicate: query.predicate, subscriptionID: "s")
        subscription.notificationInfo = info
        let group = CKOperationGroup()
        group.name = "G"
        let person = ArchivedIdentity(user: RecordID(id), lookup: .email("a@x.org"))
        let token = CKServerChangeToken(text: "token")
        let conduct = CKOperation.Configuration()
        conduct.container = CKContainer(identifier: "iCloud.test")
        conduct.qualityOfService = .utility
        conduct.isLongLived = true
        conduct.timeoutIntervalForRequest = 7
        let kinds: [Kind] = [
            Kind(CKAsset(fileURL: URL(fileURLWithPath: "/x"))), Kind(conduct),
            Kind(zone), Kind(id), Kind(CKRecord.Reference(recordID: id, action: .deleteSelf)), Kind(record),
            Kind(CKRecordZone(zoneID: zone)), Kind(share), Kind(share.owner), Kind(query), Kind(info),
            Kind(subscription), Kind(CKRecordZoneSubscription(zoneID: zone, subscriptionID: "z")),
            Kind(CKDatabaseSubscription(subscriptionID: "d")), Kind(subscription as CKSubscription),
            Kind(group), Kind(CKUserIdentity(person)),
            Kind(CKUserIdentity.LookupInfo(phoneNumber: "+49")), Kind(token),
            Kind(
                CKQueryCursor(
                    query: query, zoneID: zone, marker: Data([1]), moment: Date(timeIntervalSince1970: 0))),
            Kind(CKFetchRecordZoneChangesOperation.ZoneConfiguration(previousServerChangeToken: token)),
            Kind(CKNotification.ID(text: "n")),
            Kind(
                CKLocationSortDescriptor(
                    key: "place", relativeLocation: CLLocation(latitude: 1, longitude: 2))),
            Kind(CKAllowedSharingOptions.standard), Kind(CKShare.AccessRequester(person)),
            Kind(CKShare.BlockedIdentity(person)), Kind(CLLocation(latitude: 1, longitude: 2)),
            Kind(CLFloor()),
            Kind(
                CLLocationSourceInformation(
                    softwareSimulationState: true, andExternalAccessoryState: false)),
            Kind(
                CKShare.Metadata(
                    containerIdentifier: "c", share: share, root: record, own: share.owner)),
        ]
        return kinds + pushedNotifications.map { Kind($0) }
    }()

    /// A notification of each class.
    private static var pushedNotifications: [CKNotification] {
        func notification(_ cause: PushNotification.Cause) -> CKNotification {
            var presentation = PushPresentation()
            presentation.alert.text = "Hi"
            let notification = PushNotification(
                id: "n", subscriptionID: "s", cause: cause, presentation: presentation,
                origin: Stamp(at: Timestamp(milliseconds: 5), by: ""))
            return CKNotification.make(
                PushMessage(
                    container: "iCloud.test", environment: .development, user: "_me", database: .private,
                    notification: notification, badge: 3))
        }
        let record = RecordID(name: "a", zone: ZoneID(name: "Z"))
        return [
            notification(.query(record, .create, fields: ["n": Field(.int64(5))])),
            notification(.zone(ZoneID(name: "Z"))), notification(.database), notification(.read),
        ]
    }

    @Test("A modified archive is decoded or decodes to nil", arguments: kinds)
    func archives(_ kind: Kind) async {
        let coder = ByteCoder()
        kind.object.encode(with: coder)
        let original = coder.values
        let keys = original.keys.sorted()
        var mutator = SeededNumbers(seed: Self.seed)
        var read = 0
        for round in 0..<Self.rounds {
            if round % 200 == 0 { await Task.yield() }
            let key = keys[mutator.below(keys.count)]
            coder.values = original
            coder.values[key] = mutator.mutate(original[key] ?? [])
            guard let object = kind.read(coder) else { continue }
            read += 1
            if read % 64 == 0 {
                _ = (object.description, object.hash, object.isEqual(kind.object), object.copy())
            }
        }
        #expect(kind.read(coder.restored(original)) != nil)
        #expect(read > 0 && read < Self.rounds, "seed \(Self.seed): \(read) were read")
    }

    @available(*, deprecated, message: "What it tests is deprecated.")
    static var olderKinds: [Kind] {
        let token = CKServerChangeToken(text: "token")
        let wishes = CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: token, resultsLimit: 3, desiredKeys: ["a"])
        let user = RecordID(CKRecord.ID(recordName: "_a"))
        let person = CKUserIdentity(ArchivedIdentity(user: user, lookup: .email("a@x.org")))
        return [Kind(CKFetchRecordZoneChangesOptions(wishes)), Kind(CKDiscoveredUserInfo(person))]
    }

    @available(*, deprecated, message: "What it tests is deprecated.")
    @Test("Modified archives of deprecated classes too; the lists of classes are complete")
    func olderArchives() async throws {
        for kind in Self.olderKinds { await archives(kind) }
        let tested = Set((Self.kinds + Self.olderKinds).map(\.name))
        let classes = try Self.archivedClasses()
        #expect(classes.count > 20)
        #expect(classes.subtracting(tested).isEmpty)
    }

    /// The classes of the sources that can be read from an archive.
    private static func archivedClasses() throws -> Set<String> {
        var classes: Set<String> = []
        for file in try publicSources() {
            var current = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(whereSeparator: { " :".contains($0) })
                if let place = words.firstIndex(of: "class"), place + 1 < words.count,
                    !["func", "var"].contains(words[place + 1])
                {
                    current = String(words[place + 1])
                }
                if line.contains("init?(coder: NSCoder)") { classes.insert(current) }
            }
        }
        return classes
    }

    /// The Swift files of the modules that have the classes of Apple's frameworks.
    static func publicSources() throws -> [URL] {
        try ["Sources/Cloudlet", "Sources/CoreLocation"].flatMap { path in
            let folder = URL.package.appending(path: path)
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
        }
    }

    @Test("Modified files of long-lived operations are decoded or ignored")
    func shelves() async throws {
        let save = CKModifyRecordsOperation(
            recordsToSave: Self.kinds.compactMap { $0.object as? CKRecord },
            recordIDsToDelete: [CKRecord.ID(recordName: "b")])
        let operation = try #require(ArchivedOperation(save))
        let conduct = CKOperation.Configuration()
        conduct.timeoutIntervalForRequest = 7
        conduct.qualityOfService = .utility
        let entry = OperationStore.Entry(
            id: "a", container: "c", environment: "development", scope: 2, operation: operation,
            configuration: ArchivedOperationConfiguration(conduct))
        let answer = RecordedAnswer(
            request: "records/modify#1", status: 200, headers: [["a", "b"]], body: Data("{}".utf8))
        let texts = [try JSONEncoder().encode(entry), try JSONEncoder().encode(answer)].map { Array($0) }
        var mutator = SeededNumbers(seed: Self.seed)
        var read = 0
        for round in 0..<Self.rounds {
            if round % 200 == 0 { await Task.yield() }
            let data = Data(mutator.mutate(texts[round % 2]))
            if round % 2 == 1 {
                if (try? JSONDecoder().decode(RecordedAnswer.self, from: data)) != nil { read += 1 }
            } else if let entry = try? JSONDecoder().decode(OperationStore.Entry.self, from: data) {
                read += 1
                _ = entry.operation.operation
                _ = entry.configuration?.configuration.timeoutIntervalForResource
            }
        }
        #expect(read > 0 && read < Self.rounds, "seed \(Self.seed): \(read) were read")
    }

    @Test("A modified push payload is parsed or gives nil")
    func pushes() async {
        let payload = """
            {"aps":{"alert":{"body":"Hi","title":"T","loc-key":"K","loc-args":["a"]},"badge":3,"sound":"s",\
            "content-available":1,"category":"c"},"ck":{"cid":"iCloud.test","nid":"n","ce":2,\
            "qry":{"rid":"a","zid":"Z","zoid":"_me","dbs":1,"fo":1,"sid":"s","af":{"name":"x","n":1}}}}
            """
        var mutator = SeededNumbers(seed: Self.seed)
        var read = 0
        for round in 0..<Self.rounds {
            if round % 200 == 0 { await Task.yield() }
            let bytes = mutator.mutate(Array(payload.utf8))
            guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)),
                let dictionary = object as? [AnyHashable: Any]
            else { continue }
            guard let push = CKNotification(fromRemoteNotificationDictionary: dictionary) else { continue }
            read += 1
            _ = (push.notificationType, push.subscriptionID, (push as? CKQueryNotification)?.recordFields)
        }
        #expect(read > 0, "seed \(Self.seed)")
    }

    @Test(
        "A modified format string gives a predicate or a refusal",
        arguments: [
            "name == 'Coffee' AND guests > 3", "NOT (a BETWEEN {1, 2}) AND tags CONTAINS 'x'",
            "distanceToLocation:fromLocation:(place, %@) < 1000", "self CONTAINS 'a \\'b\\' \\u00e4'",
            "ANY %K IN %@ AND date >= now() AND x BEGINSWITH \"q\"",
        ])
    func formats(_ format: String) async {
        var mutator = SeededNumbers(seed: Self.seed)
        let record = Self.kinds.lazy.compactMap { $0.object as? CKRecord }.first
        for round in 0..<Self.rounds / 5 {
            if round % 200 == 0 { await Task.yield() }
            let text = String(decoding: mutator.mutate(Array(format.utf8)), as: UTF8.self)
            let predicate = NSPredicate(
                format: text, argumentArray: [CLLocation(latitude: 1, longitude: 2), [1, 2], "x", 3])
            let tree = PredicateTree(predicate)
            _ = tree.format
            let query = CKQuery(recordType: "T", predicate: predicate)
            _ = try? query.wire(now: Date(timeIntervalSince1970: 0), home: .default)
            if round % 8 == 0 { _ = predicate.evaluate(with: record) }
        }
    }
}

/// A coder that returns the bytes that a test sets.
private final class ByteCoder: NSCoder {
    var values: [String: [UInt8]] = [:]

    func restored(_ values: [String: [UInt8]]) -> ByteCoder {
        self.values = values
        return self
    }

    override var allowsKeyedCoding: Bool { true }

    override func containsValue(forKey key: String) -> Bool { values[key] != nil }

    override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        values[key] = Array(UnsafeBufferPointer(start: bytes, count: length))
    }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        try (values[key] ?? []).withUnsafeBufferPointer { try body($0) }
    }
}

extension SeededNumbers {
    private static let tokens: [[UInt8]] = [
        "null", "{}", "[]", "-1", "1e999", "9223372036854775808", "\"\"", "true", "0.5", "\"\\u0000\"", "'",
        "(",
        ")", "%@", " AND ", "NOT ", "now()",
    ].map { Array($0.utf8) }

    /// Changes bytes at random. Some changes make the syntax invalid, others only change a value.
    mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(3) {
            let place = below(bytes.count)
            switch below(6) {
            case 0 where !bytes.isEmpty: bytes[place] ^= UInt8(1 << below(8))
            case 1 where !bytes.isEmpty: bytes.remove(at: place)
            case 2: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
            case 3:
                let end = min(bytes.count, place + below(12))
                bytes.replaceSubrange(place..<end, with: Self.tokens[below(Self.tokens.count)])
            case 4 where !bytes.isEmpty && below(8) == 0: bytes.removeLast(bytes.count - place)
            default: replaceScalar(&bytes, from: place)
            }
        }
        return bytes
    }

    /// Replaces the value after the next colon by another number or text: the syntax stays valid, and the
    /// value becomes wrong.
    private mutating func replaceScalar(_ bytes: inout [UInt8], from place: Int) {
        guard place < bytes.count,
            let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count
        else { return }
        let rest = bytes[(colon + 1)...]
        let ends: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")]
        let end = rest.firstIndex(where: ends.contains) ?? bytes.endIndex
        bytes.replaceSubrange((colon + 1)..<end, with: Self.tokens[below(10)])
    }
}
