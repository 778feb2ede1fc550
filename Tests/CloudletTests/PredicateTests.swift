import Foundation
import Records
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Predicates")
struct PredicateTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)

    /// The filters that a predicate becomes, one `key COMPARATOR value` a line, or the text of the refusal.
    private func sent(_ predicate: NSPredicate) -> String {
        do {
            let query = try CKQuery(recordType: "T", predicate: predicate).wire(now: Self.now, home: .default)
            return query.filters.map { filter in
                var text =
                    "\(filter.key?.displayName ?? "*") \(filter.comparator.rawValue) "
                    + Self.text(filter.value)
                if let distance = filter.distance { text += " < \(distance)" }
                return text
            }.joined(separator: "; ")
        } catch {
            return (error as NSError).localizedDescription
        }
    }

    private static func text(_ value: FieldValue) -> String {
        switch value {
        case .string(let text): "'\(text)'"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .timestamp(let timestamp): "@\(timestamp.milliseconds)"
        case .bytes(let bytes): "\(bytes)"
        case .reference(let reference): "->\(reference.recordName)"
        case .asset: "asset"
        case .location(let location): "(\(location.latitude),\(location.longitude))"
        case .list(let type, let values): "\(type)[\(values.map(text).joined(separator: ","))]"
        }
    }

    static let place = CLLocation(latitude: 1, longitude: 2)
    static let party = CKRecord.ID(recordName: "p")

    @Test(
        "A format string is translated to filters",
        arguments: [
            ("TRUEPREDICATE", ""),
            ("name = 'a'", "name EQUALS 'a'"),
            ("name == \"it's\"", "name EQUALS 'it's'"),
            ("'a' = name", "name EQUALS 'a'"),
            ("3 < n", "n GREATER_THAN 3"),
            ("n <> 4", "n NOT_EQUALS 4"),
            ("n =< 4 && n => -2", "n LESS_THAN_OR_EQUALS 4; n GREATER_THAN_OR_EQUALS -2"),
            ("n == 0x10 AND d > 1.5e3", "n EQUALS 16; d GREATER_THAN 1500.0"),
            ("n < 2 + 3 * 4", "n LESS_THAN 14"),
            ("(n > (1 + 2)) and ((m == 2 ** 3))", "n GREATER_THAN 3; m EQUALS 8.0"),
            ("n BETWEEN {1, 5}", "n GREATER_THAN_OR_EQUALS 1; n LESS_THAN_OR_EQUALS 5"),
            ("name IN {'a', 'b'}", "name IN string['a','b']"),
            ("x IN {1, 2.5}", "x IN double[1.0,2.5]"),
            ("NOT (name IN {'a'})", "name NOT_IN string['a']"),
            ("name NOT IN {'a'}", "name NOT_IN string['a']"),
            ("! n < 3", "n GREATER_THAN_OR_EQUALS 3"),
            ("NOT NOT n == 3", "n EQUALS 3"),
            ("name beginswith 'a'", "name BEGINS_WITH 'a'"),
            ("NOT name BEGINSWITH 'a'", "name NOT_BEGINS_WITH 'a'"),
            ("tags CONTAINS 'a'", "tags LIST_CONTAINS 'a'"),
            ("'a' IN tags", "tags LIST_CONTAINS 'a'"),
            ("ANY tags = 'a'", "tags LIST_CONTAINS 'a'"),
            ("ANY tags IN {'a','b'}", "tags LIST_CONTAINS_ANY string['a','b']"),
            ("SOME tags BEGINSWITH 'a'", "tags LIST_MEMBER_BEGINS_WITH 'a'"),
            ("NOT tags CONTAINS 'a'", "tags NOT_LIST_CONTAINS 'a'"),
            ("self CONTAINS 'after session'", "* CONTAINS_ALL_TOKENS 'after session'"),
            ("allTokens TOKENMATCHES[cdl] 'a b'", "* CONTAINS_ALL_TOKENS 'a b'"),
            ("ALL tokenize('a b', 'Cdl') IN allTokens", "* CONTAINS_ALL_TOKENS 'a b'"),
            ("ANY tokenize:using:('a b', 'Cdl') IN allTokens", "* CONTAINS_ANY_TOKENS 'a b'"),
            ("creationDate < now()", "___createTime LESS_THAN @1000000000"),
            ("creationDate > now() - 60", "___createTime GREATER_THAN @999940000"),
            ("flag == YES", "flag EQUALS 1"),
            ("#in == 1", "in EQUALS 1"),
            ("FALSEPREDICATE", "recordName IN reference[]"),
        ]
    )
    func translation(_ format: String, _ expected: String) {
        #expect(sent(NSPredicate(format: format)) == expected)
    }

    @Test("Arguments replace the placeholders of constants and keys")
    func arguments() {
        let date = Date(timeIntervalSince1970: 1.5)
        let reference = CKRecord.Reference(recordID: Self.party, action: .deleteSelf)
        let record = CKRecord(recordType: "Party", recordID: Self.party)
        #expect(sent(NSPredicate(format: "%K == %@", "name", "a")) == "name EQUALS 'a'")
        #expect(sent(NSPredicate(format: "n == %d AND m == %ld", 3, 4)) == "n EQUALS 3; m EQUALS 4")
        #expect(sent(NSPredicate(format: "d < %f", 2.5)) == "d LESS_THAN 2.5")
        #expect(sent(NSPredicate(format: "n == %@", 3 as NSNumber)) == "n EQUALS 3")
        #expect(sent(NSPredicate(format: "at > %@", date as NSDate)) == "at GREATER_THAN @1500")
        #expect(sent(NSPredicate(format: "at > %@", date)) == "at GREATER_THAN @1500")
        #expect(sent(NSPredicate(format: "name IN %@", ["a", "b"])) == "name IN string['a','b']")
        #expect(sent(NSPredicate(format: "party == %@", reference)) == "party EQUALS ->p")
        #expect(sent(NSPredicate(format: "party == %@", record)) == "party EQUALS ->p")
        #expect(sent(NSPredicate(format: "recordID == %@", Self.party)) == "recordName EQUALS ->p")
        #expect(sent(NSPredicate(format: "recordID IN %@", [Self.party])) == "recordName IN reference[->p]")
        #expect(sent(NSPredicate(format: "n == %@", argumentArray: [1])) == "n EQUALS 1")
        #expect(
            sent(NSPredicate(format: "distanceToLocation:fromLocation:(place, %@) < %f", Self.place, 100.0))
                == "place NEAR (1.0,2.0) < \(100.0.nextDown)")
        #expect(
            sent(NSPredicate(format: "5 >= distanceToLocation:fromLocation:(%K, %@)", "place", Self.place))
                == "place NEAR (1.0,2.0) < 5.0")
    }

    @Test("A C argument list is read by the types of the placeholders")
    func argumentList() {
        func sent(_ format: String, _ arguments: any CVarArg...) -> String {
            withVaList(arguments) { self.sent(NSPredicate(format: format, arguments: $0)) }
        }
        #expect(sent("%K == %@", "name", "a") == "name EQUALS 'a'")
        #expect(
            sent("n == %d AND m == %ld AND k > %u", -3 as Int32, Int.min, UInt32.max)
                == "n EQUALS -3; m EQUALS \(Int.min); k GREATER_THAN 4294967295")
        #expect(sent("n == %lld AND d < %f", 4 as Int64, 2.5) == "n EQUALS 4; d LESS_THAN 2.5")
        #expect(sent("d < %5.2f AND n > %c", 0.1, 7 as Int32) == "d LESS_THAN 0.1; n GREATER_THAN 7")
        #expect(sent("d == %lu", UInt64.max) == sent("d == 18446744073709551615.0"))
        let reference = CKRecord.Reference(recordID: Self.party, action: .deleteSelf)
        let record = CKRecord(recordType: "Party", recordID: Self.party)
        #expect(sent("party == %@", reference) == "party EQUALS ->p")
        #expect(sent("party == %@", record) == "party EQUALS ->p")
        #expect(sent("recordID == %@", Self.party) == "recordName EQUALS ->p")
        #expect(
            sent("distanceToLocation:fromLocation:(%K, %@) < %f", "place", Self.place, 100.0)
                == "place NEAR (1.0,2.0) < \(100.0.nextDown)")
        #expect(sent("name == '%@' AND n == %ld", 5) == "name EQUALS '%@'; n EQUALS 5")
        let text = "abc".withCString { sent("name == %s", OpaquePointer($0)) }
        #expect(text == "name EQUALS 'abc'")
        #expect(sent("n == 3") == "n EQUALS 3")
        #expect(sent("n = = %ld", 3).contains("cannot be read"))
        let wide = "abc".withCString { sent("name == %S", OpaquePointer($0)) }
        #expect(wide.contains("16-bit"))
    }

    @Test("Predicates of Foundation are supported, except block predicates")
    func foundation() {
        let one = NSPredicate(format: "n == 1")
        let all = NSCompoundPredicate(andPredicateWithSubpredicates: [one, NSPredicate(value: true)])
        #expect(sent(all) == "n EQUALS 1")
        #expect(sent(NSCompoundPredicate(notPredicateWithSubpredicate: one)) == "n NOT_EQUALS 1")
        #expect(sent(NSPredicate(value: true)) == "")
        #expect(sent(NSPredicate(value: false)) == "recordName IN reference[]")
        #expect(sent(NSPredicate(block: { _, _ in true })).contains("block"))
        #expect((one.copy() as? NSPredicate).map(sent) == "n EQUALS 1")
    }

    @Test(
        "An unsupported predicate is refused with a proposal how to write it",
        arguments: [
            ("n == 1 OR n == 2", "n IN {…}"),
            ("n == 1 OR m == 2", "one query for each side"),
            ("name LIKE 'a*'", "BEGINSWITH"),
            ("name MATCHES 'a'", "BEGINSWITH"),
            ("name ENDSWITH 'a'", "BEGINSWITH"),
            ("name CONTAINS[c] 'a'", "comparison options are not supported"),
            ("name ==[cd] 'a'", "comparison options are not supported"),
            ("party.name == 'a'", "leads through a reference"),
            ("NOT (a == 1 AND b == 2)", "Negate each comparison"),
            ("NOT a BETWEEN {1, 2}", "cannot negate"),
            ("NOT self CONTAINS 'a'", "cannot negate"),
            ("ALL tags == 'a'", "CONTAINS"),
            ("NONE tags == 'a'", "CONTAINS"),
            ("a == b", "Both sides are fields"),
            ("1 == 1", "Both sides are constants"),
            ("a == nil", "NULL"),
            ("a == $x", "Variables"),
            ("a + 1 == 2", "Calculations"),
            ("uppercase:(a) == 'A'", "function uppercase:"),
            ("recordID == 'a'", "CKRecord.ID"),
            ("name CONTAINS {'a', 'b'}", "ANY name IN"),
            ("x IN {1, 'a'}", "one type"),
            ("_x == 1", "not the name of a field"),
        ]
    )
    func refusals(_ format: String, _ hint: String) {
        #expect(sent(NSPredicate(format: format)).contains(hint))
    }

    @Test(
        "An invalid format is refused with the position of the error",
        arguments: [
            "", "n ==", "== 3", "n 3", "n == 3 m == 4", "(n == 3", "n == 'abc", "n == %@", "n == %",
            "n = 3 AND",
            "n == {1, 2", "a[0] == 1", "%K == 1", "IN == 3", "n == 0xZZ", "n ? 3", "#", "n == 9e", "f(",
            "n ==[",
            String(repeating: "(", count: 5000), String(repeating: "NOT ", count: 5000) + "n == 1",
            "n == " + String(repeating: "-", count: 5000) + "1",
            "n == " + String(repeating: "{", count: 5000),
        ]
    )
    func malformed(_ format: String) {
        let text = sent(NSPredicate(format: format))
        #expect(text.contains("cannot be read"), "\(text)")
    }

    @Test("Random format strings never end the process")
    func fuzz() {
        var generator = SeededNumbers(seed: 42)
        let pieces = [
            "n", "AND", "OR", "NOT", "(", ")", "{", "}", "==", "<", "IN", "'a'", "3", ".5", "%@", "%K", "[",
            "]", "c",
            "BETWEEN", ",", "now()", "-", "+", "**", "ANY", "self", "CONTAINS", "$v", "#k", "\"", "é", ":",
            ".", "@",
        ]
        for _ in 0..<3000 {
            let count = Int.random(in: 0..<14, using: &generator)
            let format = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined(
                separator: " ")
            let predicate = NSPredicate(format: format, "x", 3, ["a"])
            _ = sent(predicate)
            _ = ArchivedPredicate(PredicateTree(predicate)).predicate
        }
    }

    @Test("An argument of an unsupported class is refused with the name of the class")
    func foreignArgument() {
        let text = sent(NSPredicate(format: "site == %@", URL(fileURLWithPath: "/")))
        #expect(text.contains("URL"))
    }

    @Test("Sort descriptors are sent with the names of their fields")
    func sorting() throws {
        let query = CKQuery(recordType: "T", predicate: NSPredicate(value: true))
        query.sortDescriptors = [
            NSSortDescriptor(key: "creationDate", ascending: false),
            CKLocationSortDescriptor(key: "place", relativeLocation: Self.place),
        ]
        let sorts = try query.wire(now: Self.now, home: .default).sorts
        #expect(sorts.map(\.key) == [.system(.createdTimestamp), .field("place")])
        #expect(sorts.map(\.ascending) == [false, true])
        #expect(sorts.last?.relativeTo?.latitude == 1)
    }
}
