import Foundation
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Refusals of schema texts")
struct SchemaRefusalTests {
    private static let primitives =
        #""ASSET", "BYTES", "DOUBLE", "ENCRYPTED", "INT64", "#
        + #""LIST", "LOCATION", "NUMBER", "REFERENCE", "STRING", "TIMESTAMP""#

    @Test(
        "A syntax error names the position, the token, and the expected tokens",
        arguments: [
            ("", #"Encountered <EOF> at line 1, column 1. Was expecting: "DEFINE""#),
            ("DEFINE\n  TABLE", #"Encountered "TABLE" at line 2, column 3. Was expecting: "SCHEMA""#),
            (
                "DEFINE SCHEMA DROP",
                #"Encountered "DROP" at line 1, column 15. Was expecting one of: "CREATE", "RECORD", <EOF>"#
            ),
            ("DEFINE SCHEMA CREATE ROLE A", #"Encountered <EOF> at line 1, column 28. Was expecting: ";""#),
            (
                "DEFINE SCHEMA CREATE ROLE ;",
                #"Encountered ";" at line 1, column 27. Was expecting: the name of a role"#
            ),
            (
                "DEFINE SCHEMA\nRECORD TYPE cloudkit.share (",
                #"Encountered "." at line 2, column 21. Was expecting: "(""#
            ),
            (
                "DEFINE SCHEMA RECORD TYPE Grant ();",
                #"Encountered "Grant" at line 1, column 27. Was expecting: the name of a record type"#
            ),
            (
                "DEFINE SCHEMA RECORD TYPE A (a STRING,);",
                #"Encountered ")" at line 1, column 39. Was expecting one of: "GRANT", the name of a field"#
            ),
            (
                "DEFINE SCHEMA RECORD TYPE A (_a STRING);",
                #"Encountered "_" at line 1, column 30. Was expecting one of: "GRANT", the name of a field"#
            ),
            (
                "DEFINE SCHEMA RECORD TYPE A (a TEXT);",
                #"Encountered "TEXT" at line 1, column 32. Was expecting one of: \#(primitives)"#
            ),
            (
                "DEFINE SCHEMA RECORD TYPE A (a LIST<LIST<STRING>>);",
                #"Encountered "LIST" at line 1, column 37. Was expecting one of: "#
                    + primitives.replacing(#""LIST", "#, with: "")
            ),
            (
                "DEFINE SCHEMA RECORD TYPE A (a ENCRYPTED ASSET);",
                #"Encountered "ASSET" at line 1, column 42. Was expecting one of: "BYTES", "DOUBLE", "#
                    + #""INT64", "LOCATION", "STRING", "TIMESTAMP""#
            ),
            (
                "DEFINE SCHEMA RECORD TYPE A (a NUMBER PREFERRED AS STRING);",
                #"Encountered "STRING" at line 1, column 52. Was expecting one of: "DOUBLE", "INT64""#
            ),
            (
                "DEFINE SCHEMA RECORD TYPE A (a STRING SORTABLE b);",
                #"Encountered "b" at line 1, column 48. Was expecting one of: ",", ")", "QUERYABLE", "#
                    + #""SEARCHABLE""#
            ),
            (
                "DEFINE SCHEMA RECORD TYPE A (GRANT DELETE TO B);",
                #"Encountered "DELETE" at line 1, column 36. Was expecting one of: "READ", "CREATE", "WRITE""#
            ),
            (
                "DEFINE SCHEMA RECORD TYPE A (GRANT READ FOR B);",
                #"Encountered "FOR" at line 1, column 41. Was expecting one of: "TO", ",""#
            ),
            ("DEFINE SCHEMA /* x", #"Encountered <EOF> at line 1, column 19. Was expecting: "*/""#),
            (
                "DEFINE SCHEMA CREATE ROLE \"x\ny\";",
                #"Encountered "\n" at line 1, column 29. Was expecting: "\"""#
            ),
            (
                "DEFINE \"SCHEMA\"",
                #"Encountered "\"SCHEMA\"" at line 1, column 8. Was expecting: "SCHEMA""#
            ),
            ("DEFINE \0", #"Encountered "\0" at line 1, column 8. Was expecting: "SCHEMA""#),
        ]
    )
    func grammar(text: String, reason: String) {
        #expect(refusal(of: Array(text.utf8)) == reason)
    }

    @Test(
        "An invalid schema with correct syntax is refused with the position",
        arguments: [
            ("CREATE ROLE A; CREATE ROLE A;", #"Role "A" is created twice at line 2, column 28."#),
            (#"CREATE ROLE "_world";"#, #"Role "_world" cannot be created at line 2, column 13."#),
            (
                "RECORD TYPE A (); RECORD TYPE A ();",
                #"Record type "A" is defined twice at line 2, column 31."#
            ),
            (#"RECORD TYPE "a b" ();"#, #""a b" cannot be a record type at line 2, column 13."#),
            ("RECORD TYPE A (a STRING, a INT64);", #"Field "a" is defined twice at line 2, column 26."#),
            (#"RECORD TYPE A ("a-b" STRING);"#, #""a-b" cannot be a field at line 2, column 16."#),
            (#"RECORD TYPE A ("___x" STRING);"#, #"There is no system field "___x" at line 2, column 16."#),
            (
                #"RECORD TYPE A ("___recordID" STRING);"#,
                #"System field "___recordID" has the type REFERENCE at line 2, column 30."#
            ),
            (
                #"RECORD TYPE A ("___etag" STRING QUERYABLE);"#,
                #"System field "___etag" cannot be indexed at line 2, column 16."#
            ),
            (
                "RECORD TYPE A (GRANT READ TO B);",
                #"Role "B" is granted something and not created at line 2, column 30."#
            ),
            (
                "RECORD TYPE A (a INT64 SEARCHABLE);",
                #"Field "a" of type INT64 cannot be SEARCHABLE at line 2, column 24."#
            ),
            (
                "RECORD TYPE A (a LIST<STRING> SORTABLE);",
                #"Field "a" of type LIST<STRING> cannot be SORTABLE at line 2, column 31."#
            ),
            (
                "RECORD TYPE A (a ENCRYPTED STRING QUERYABLE);",
                #"Field "a" of type ENCRYPTED STRING cannot be QUERYABLE at line 2, column 35."#
            ),
        ]
    )
    func meaning(item: String, reason: String) {
        #expect(refusal(of: Array("DEFINE SCHEMA\n\(item)".utf8)) == reason)
    }

    @Test("A name that is not UTF-8 is refused with its position")
    func badText() {
        let text = Array("DEFINE SCHEMA CREATE ROLE \"a".utf8) + [0xff] + Array("\";".utf8)
        #expect(refusal(of: text) == "Invalid UTF-8 in a quoted name at line 1, column 27.")
    }

    @Test("Columns count characters, not bytes")
    func columns() {
        let text = "DEFINE SCHEMA /* ééé */ CREATE ROLE \"Übersicht\" x"
        #expect(
            refusal(of: Array(text.utf8)) == #"Encountered "x" at line 1, column 49. Was expecting: ";""#
        )
    }

    private static let words = [
        "GRANT", " TO ", "\"", ";", ",", "(", ")", "LIST<", "/*", "*/", "--", "\u{2028}", "é", "\0",
        "NUMBER PREFERRED", "RECORD TYPE", "\r", "\r\n", "\"___", "ENCRYPTED ", "<", ".",
    ]

    /// The number of attempts over all seeds. An environment variable can raise it.
    private static let mutations =
        Int(ProcessInfo.processInfo.environment["CLOUDLET_MUTATIONS"] ?? "") ?? 10_000

    @Test("10,000 damaged texts are parsed, or refused with a valid position", arguments: [11, 12, 13, 14])
    func mutations(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        var refused = 0
        for _ in 0..<Self.mutations / 4 {
            var text = Array(random.schema().text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) { random.damage(&text, words: Self.words) }
            if try check(text) { refused += 1 }
        }
        #expect(refused > Self.mutations / 10)
    }

    @Test("A truncated text is refused at its end, unless it is complete")
    func truncations() throws {
        var random = SeededNumbers(seed: 21)
        for _ in 0..<5 {
            let text = Array(random.schema().text.utf8)
            for count in 0..<text.count {
                let beginning = Array(text.prefix(count))
                guard try check(beginning) else { continue }
                let place = try #require(Self.place(in: refusal(of: beginning) ?? ""))
                let end = Self.end(of: beginning)
                #expect(place.line == end.line, "\(String(decoding: beginning, as: UTF8.self))")
            }
        }
    }

    // MARK: Words

    private func refusal(of text: [UInt8]) -> String? {
        do throws(RecordError) {
            _ = try SchemaSource(text: text)
            return nil
        } catch {
            return error.reason
        }
    }

    /// Whether the text is rejected. Expects that an error names a place in the text, and that a valid schema
    /// round-trips.
    private func check(_ text: [UInt8]) throws -> Bool {
        do throws(RecordError) {
            let schema = try SchemaSource(text: text).schema
            #expect(try Schema(text: schema.text) == schema)
            return false
        } catch {
            let shown = String(decoding: text, as: UTF8.self)
            let place = try #require(Self.place(in: error.reason), "\(error) for \(shown)")
            let end = Self.end(of: text)
            #expect(error.code == .badRequest && error.culprit?.isEmpty == false && error.nextStep != nil)
            #expect((1...end.line).contains(place.line) && place.column >= 1, "\(error) for \(shown)")
            if place.line == end.line { #expect(place.column <= end.column, "\(error) for \(shown)") }
            return true
        }
    }

    private static func place(in reason: String) -> TextPlace? {
        guard let match = reason.firstMatch(of: /at line ([0-9]+), column ([0-9]+)\./),
            let line = Int(match.1), let column = Int(match.2)
        else { return nil }
        return TextPlace(line: line, column: column)
    }

    /// The line and column after the last character.
    private static func end(of text: [UInt8]) -> TextPlace {
        var end = TextPlace(line: 1, column: 1)
        var last: UInt8 = 0
        for byte in text {
            if byte == 0x0d || (byte == 0x0a && last != 0x0d) {
                end = TextPlace(line: end.line + 1, column: 1)
            } else if byte != 0x0a, byte & 0xc0 != 0x80 {
                end.column += 1
            }
            last = byte
        }
        return end
    }
}
