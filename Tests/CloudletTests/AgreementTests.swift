import CloudKit
import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Predicates evaluated by the client and by the server", .timeLimit(.minutes(30)))
struct AgreementTests {
    private static let records = 100

    @Test(
        "Random predicates match the same random records on the server and on the device",
        arguments: [(1, false), (20_140_602, false), (7, true)] as [(UInt64, Bool)])
    func agreement(seed: UInt64, isInZone: Bool) async throws {
        try await withFixture { fixture in
            var random = RandomPredicates(seed: seed, zone: isInZone ? "Z" : nil)
            let database = fixture.alice.privateCloudDatabase
            let zone = random.zone
            if isInZone { _ = try await database.save(CKRecordZone(zoneID: zone)) }
            let drafts = (0..<Self.records).map { random.record($0) }
            _ = try await database.modifyRecords(saving: drafts, deleting: [])
            let ids = drafts.map(\.recordID)
            // Evaluates the records that this device saved, and the copies that another device fetched.
            let fetched = try await fixture.tablet.privateCloudDatabase.records(for: ids)
            fixture.world.clock.advance(bySeconds: 3600)
            var matches = 0
            for _ in 0..<80 {
                let predicate = random.predicate()
                let query = CKQuery(recordType: "Thing", predicate: predicate)
                let found = try await names(query, in: database, zone)
                matches += found.count
                let evaluation = { PredicateEvaluation(record: $0, now: fixture.world.clock.now) }
                let tree = PredicateTree(predicate)
                let here = drafts.filter { evaluation($0).matches(tree) }
                let there = try ids.compactMap { try fetched[$0]?.get() }.filter {
                    evaluation($0).matches(tree)
                }
                #expect(
                    Set(here.map(\.recordID.recordName)) == found, "seed \(seed): \(tree.format)")
                #expect(
                    Set(there.map(\.recordID.recordName)) == found, "seed \(seed), fetched: \(tree.format)")
            }
            #expect(matches > 200, "seed \(seed): predicates that match nothing show nothing")
        }
    }

    private func names(
        _ query: CKQuery, in database: CKDatabase, _ zone: CKRecordZone.ID
    ) async throws -> Set<String> {
        let (found, cursor) = try await database.records(
            matching: query, inZoneWith: zone, desiredKeys: [], resultsLimit: 200)
        #expect(cursor == nil)
        return Set(found.map(\.0.recordName))
    }
}

/// Records of all kinds of fields, and predicates about them, from a seed.
private struct RandomPredicates {
    private var numbers: SeededNumbers
    let zone: CKRecordZone.ID

    init(seed: UInt64, zone: String?) {
        numbers = SeededNumbers(seed: seed)
        self.zone = zone.map { CKRecordZone.ID(zoneName: $0) } ?? .default
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[numbers.below(values.count)] }

    private mutating func chance(_ percent: Int) -> Bool { numbers.below(100) < percent }

    // MARK: Values

    private mutating func text() -> String {
        pick(["a", "ab", "A", "Ab c", "caf\u{e9}", "cafe\u{301}", "the end", "", "\u{1F388}b", "z-9"])
    }

    private mutating func integer() -> Int64 {
        pick([-3, 0, 1, 2, 2, 1 << 53, (1 << 53) + 1, .max])
    }

    private mutating func real() -> Double { pick([-0.5, 0, 0.1, 2, 2.5, 1e300, 9_007_199_254_740_992]) }

    private mutating func date() -> Date {
        Date(timeIntervalSince1970: pick([-1.5, 0, 1.0004, 1.0005, 1.4e9, 1_401_713_999, 4e9]))
    }

    private mutating func bytes() -> Data { Data(pick([[], [0], [0, 1], [255]])) }

    private mutating func place() -> CLLocation {
        CLLocation(latitude: pick([-89, 0, 0.001, 48.1]), longitude: pick([-179.9, 0, 11.5, 179.9]))
    }

    private mutating func reference() -> CKRecord.Reference {
        CKRecord.Reference(
            recordID: CKRecord.ID(recordName: pick(["r0", "r1", "elsewhere"]), zoneID: zone), action: .none)
    }

    private mutating func list<Value>(_ value: (inout Self) -> Value) -> [Value] {
        (0..<numbers.below(4)).map { _ in value(&self) }
    }

    mutating func record(_ number: Int) -> CKRecord {
        let id = CKRecord.ID(recordName: "r\(number)", zoneID: zone)
        let record = CKRecord(recordType: "Thing", recordID: id)
        // The first record has every field, so that the server knows the types.
        let setters: [(String, (inout Self) -> any CKRecordValueProtocol)] = [
            ("text", { $0.text() }), ("other", { $0.text() }), ("whole", { $0.integer() }),
            ("real", { $0.real() }), ("date", { $0.date() }), ("bytes", { $0.bytes() }),
            ("place", { $0.place() }), ("link", { $0.reference() }), ("texts", { $0.list { $0.text() } }),
            ("wholes", { $0.list { $0.integer() } }), ("dates", { $0.list { $0.date() } }),
            ("links", { $0.list { $0.reference() } }),
        ]
        for (key, make) in setters where number == 0 || chance(75) { record[key] = make(&self) }
        if number == 0 {
            record["texts"] = ["a"]
            record["wholes"] = [Int64(1)]
            record["dates"] = [Date(timeIntervalSince1970: 0)]
            record["links"] = [CKRecord.Reference(record: record, action: .none)]
        }
        if number > 0, zone != .default, chance(50) {
            record.setParent(CKRecord.ID(recordName: "r0", zoneID: zone))
        }
        return record
    }

    // MARK: Predicates

    mutating func predicate() -> NSPredicate {
        var parts = [condition()]
        while parts.count < 3, chance(35) { parts.append(condition()) }
        if parts.count == 1 { return parts[0] }
        return NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    }

    private mutating func condition() -> NSPredicate {
        switch numbers.below(12) {
        case 0: return words()
        case 1: return near()
        case 2: return system()
        case 3, 4: return aboutList()
        case 5: return aboutReference()
        case 6 where chance(20): return NSPredicate(value: chance(80))
        default: return comparison()
        }
    }

    private mutating func scalar() -> (key: String, value: Any) {
        switch numbers.below(5) {
        case 0: ("text", text())
        case 1: ("whole", integer())
        case 2: ("real", chance(50) ? real() : Double(integer()))
        case 3: ("date", date())
        default: ("other", text())
        }
    }

    private mutating func comparison() -> NSPredicate {
        let (key, value) = scalar()
        let sign = pick(["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"])
        let not = chance(25) ? pick(["NOT ", "! "]) : ""
        switch numbers.below(6) {
        case 0: return NSPredicate(format: "\(not)(%@ \(sign) %K)", argumentArray: [value, key])
        case 1:
            let other = [value, value, scalar(of: key), scalar(of: key)]
            return NSPredicate(format: "\(not)(%K IN %@)", argumentArray: [key, Array(other.dropFirst())])
        case 2:
            return NSPredicate(format: "%K BETWEEN %@", argumentArray: [key, [value, scalar(of: key)]])
        case 3: return NSPredicate(format: "\(not)(text BEGINSWITH %@)", text())
        case 4: return NSPredicate(format: "\(not)(bytes \(chance(50) ? "==" : "!=") %@)", bytes())
        default: return NSPredicate(format: "\(not)(%K \(sign) %@)", argumentArray: [key, value])
        }
    }

    private mutating func scalar(of key: String) -> Any {
        switch key {
        case "whole": integer()
        case "real": real()
        case "date": date()
        default: text()
        }
    }

    private mutating func aboutList() -> NSPredicate {
        let not = chance(25) ? "NOT " : ""
        switch numbers.below(7) {
        case 0: return NSPredicate(format: "\(not)(texts CONTAINS %@)", text())
        case 1: return NSPredicate(format: "\(not)(%@ IN texts)", text())
        case 2: return NSPredicate(format: "\(not)(ANY texts IN %@)", [text(), text()])
        case 3: return NSPredicate(format: "\(not)(ANY texts BEGINSWITH %@)", text())
        case 4: return NSPredicate(format: "\(not)(SOME wholes == %lld)", integer())
        case 5: return NSPredicate(format: "\(not)(dates CONTAINS %@)", date() as NSDate)
        default: return NSPredicate(format: "\(not)(links CONTAINS %@)", reference())
        }
    }

    private mutating func aboutReference() -> NSPredicate {
        let sign = pick(["==", "!="])
        switch numbers.below(4) {
        case 0: return NSPredicate(format: "link \(sign) %@", reference().recordID)
        case 1: return NSPredicate(format: "NOT (link IN %@)", [reference(), reference()])
        case 2:
            let record = CKRecord(recordType: "Thing", recordID: reference().recordID)
            return NSPredicate(format: "%@ \(sign) link", record)
        default: return NSPredicate(format: "link \(sign) %@", reference())
        }
    }

    private mutating func words() -> NSPredicate {
        let search = pick(["a", "AB c", "caf\u{e9}", "the end", "end the", "9 z", "nowhere"])
        let forms = [
            "self CONTAINS %@", "SELF CONTAINS %@", "allTokens TOKENMATCHES[cdl] %@",
            "ALL tokenize(%@, 'Cdl') IN allTokens", "ANY tokenize(%@, 'Cdl') IN allTokens",
        ]
        return NSPredicate(format: pick(forms), search)
    }

    private mutating func near() -> NSPredicate {
        let radius = pick([0, 1, 111.2, 200_000, 1.2e7, 3e7])
        let sign = pick(["<", "<="])
        return NSPredicate(
            format: "distanceToLocation:fromLocation:(place, %@) \(sign) %f", place(), radius)
    }

    private mutating func system() -> NSPredicate {
        let id = CKRecord.ID(recordName: "r\(numbers.below(40))", zoneID: zone)
        switch numbers.below(6) {
        case 0: return NSPredicate(format: "recordID == %@", id)
        case 1: return NSPredicate(format: "NOT (recordID IN %@)", [id, reference().recordID])
        case 2: return NSPredicate(format: "creationDate <= now()")
        case 3: return NSPredicate(format: "modificationDate > now() - %d", pick([10, 10_000]))
        case 4: return NSPredicate(format: "date < now()")
        default:
            return NSPredicate(
                format: "parent \(pick(["==", "!="])) %@", CKRecord.ID(recordName: "r0", zoneID: zone))
        }
    }
}
