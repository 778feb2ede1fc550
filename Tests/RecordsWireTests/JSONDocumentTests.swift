import Records
import RecordsWire
import Testing

@Suite("JSON is parsed strictly")
struct JSONDocumentTests {
    @Test(
        "Texts that RFC 8259 allows are accepted",
        arguments: [
            "null", " true ", "false", "0", "-0", "10", "1.5", "-1.5e+10", "2E-3", "\"\"", "[]", "{}",
            "[[],{}]",
            "\r\n\t[1 , 2]\n", #"{"a":{"b":[null,true]},"a":1}"#, #""\"\\\/\b\f\n\r\t\u00e4\ud83e\udd21""#,
            "\"\u{7F}äß€🤡\u{10FFFF}\u{2028}\"", "123456789012345678901234567890",
        ]
    )
    func accepts(json: String) throws {
        _ = try JSONDocument(Array(json.utf8))
    }

    @Test(
        "Other texts are refused with the offset of the first invalid byte",
        arguments: [
            ("", 0), ("  ", 2), ("nul", 3), ("nulL", 3), ("01", 1), ("-", 1), ("1.", 2), (".5", 0), ("+1", 0),
            ("1e", 2), ("1e+", 3), ("NaN", 0), ("[1,]", 3), ("[1 2]", 3), ("[1", 2), ("{", 1), ("{\"a\"}", 4),
            ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{a:1}", 1), ("\"a", 2), ("\"\n\"", 1), (#""\x""#, 2),
            (#""\u12G4""#, 5), (#""\ud800""#, 1), (#""\udc00""#, 1), (#""\ud800\u0041""#, 1), ("1 1", 2),
            ("'a'", 0), ("[1]]", 3), (#""\"#, 2), (#""\u12"#, 5), ("\u{FEFF}{}", 0), ("{\"a\":1 \"b\":2}", 7),
        ]
    )
    func refuses(json: String, offset: Int) {
        #expect(throws: RecordError.self) { try JSONDocument(Array(json.utf8)) }
        do throws(RecordError) {
            _ = try JSONDocument(Array(json.utf8))
        } catch {
            #expect(error.code == .badRequest)
            #expect(error.reason == "BadRequestException: Unexpected input")
            #expect(error.culprit == "byte \(offset)")
        }
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80], [0xEF, 0xBF],
            [0xF0, 0x8F, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
            [0xE2, 0x28, 0xA1], [0xF0, 0x90, 0x28, 0xBC],
        ] as [[UInt8]]
    )
    func refusesWrongUTF8(bytes: [UInt8]) {
        let json = Array("[\"abcdefghijk".utf8) + bytes + Array("\"]".utf8)
        let error = #expect(throws: RecordError.self) { try JSONDocument(json) }
        #expect(error?.culprit == "byte 13")
    }

    @Test("Every valid scalar is decoded, from UTF-8 and from an escape")
    func scalars() throws {
        for value in stride(from: UInt32(1), to: 0x110000, by: 37) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "x" + String(Character(scalar)) + "y"
            var writer = JSONWriter()
            writer.string(text)
            #expect(try JSONDocument(writer.bytes).root.stringValue == text)
            let units = text.utf16.map { "\\u" + String(String(Int($0) + 0x1_0000, radix: 16).dropFirst()) }
            #expect(try node("\"\(units.joined())\"").stringValue == text)
        }
    }

    @Test("Nesting is accepted at the limit and refused above it")
    func nesting() throws {
        let fits = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        _ = try JSONDocument(Array(fits.utf8))
        let error = #expect(throws: RecordError.self) { try JSONDocument(Array("[\(fits)]".utf8)) }
        #expect(error?.culprit == "byte 32")
        #expect(error?.nextStep == "nest the values less deeply")
        let hostile = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: RecordError.self) { try JSONDocument(hostile) }
    }

    @Test("A number of values is accepted at the limit and refused above it")
    func values() throws {
        let list = Array("[1,2,3]".utf8)
        var limits = Limits()
        #expect(limits.jsonValues == 1_000_000)
        limits.jsonValues = 4
        _ = try JSONDocument(request: list, limits)
        limits.jsonValues = 3
        let error = #expect(throws: RecordError.self) { try JSONDocument(request: list, limits) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.culprit == "byte 5")
        limits.jsonValues = 2
        let body = Array(#"{"operations":[]}"#.utf8)
        #expect(throws: RecordError.self) { try RecordsModifyRequest(bytes: body, limits: limits) }
    }

    @Test(
        "A text of a request may have 128 combining marks in a row, and not one more",
        arguments: ["\u{301}", "\\u0301", "\u{323}\u{301}", "\u{1D165}", "\\ud834\\udd65", "\u{F73}"])
    func marks(mark: String) throws {
        let isPair = mark.unicodeScalars.count == 2
        let most = String(repeating: mark, count: isPair ? 64 : 128)
        for text in [most, "a\(most)", "\(most)b\(most)", "ABCDEFGHIJ\(most)\\n\(most)"] {
            _ = try JSONDocument(request: Array(#"{"k":"\#(text)"}"#.utf8), Limits())
        }
        let more = most + (isPair ? "\u{301}" : mark)
        for text in ["\(more)", "abcdefgh\(more)", "\(most)b\(more)c"] {
            for json in [#"{"k":"\#(text)"}"#, #"{"\#(text)":1}"#] {
                let error = #expect(throws: RecordError.self) {
                    try JSONDocument(request: Array(json.utf8), Limits())
                }
                #expect(error?.reason == "a text has more than 128 combining marks in a row")
            }
            _ = try JSONDocument(Array(#"["\#(text)"]"#.utf8))
        }
    }

    @Test("The last of equal keys counts, and null counts as absent")
    func keys() throws {
        let object = try node(#"{"a":1,"b":null,"\u0061":2,"c":{"a":3}}"#)
        #expect(object["a"]?.int64Value == 2)
        #expect(object["b"] == nil)
        #expect(object.member("b")?.isNull == true)
        #expect(object["d"] == nil)
        #expect(object.members.map { $0.key.stringValue } == ["a", "b", "a", "c"])
        #expect(try node("[1]")["a"] == nil)
        #expect(try node("7").elements.isEmpty)
    }

    @Test(
        "Integers are exact to 64 bits",
        arguments: [
            ("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("0", 0), ("-0", 0),
            ("\"42\"", 42), ("1e3", 1000), ("25.0", 25), ("9223372036854775808", nil),
            ("-9223372036854775809", nil),
            ("1.5", nil), ("1e300", nil), ("\"\"", nil), ("\"-\"", nil), ("\" 1\"", nil), ("\"1x\"", nil),
            ("true", nil), ("[1]", nil), ("99999999999999999999", nil),
        ]
    )
    func integers(json: String, value: Int64?) throws {
        #expect(try node(json).int64Value == value)
    }

    @Test(
        "Numbers are rounded correctly, and texts out of range are refused",
        arguments: [
            ("0.1", 0.1), ("-0.0", -0.0), ("1", 1), ("123456789012345678", 123_456_789_012_345_680),
            ("5e-324", .leastNonzeroMagnitude),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("0.30000000000000004", 0.30000000000000004),
            ("999999999999999", 999999999999999), ("0.00000000000001", 1e-14), ("\"2.5\"", 2.5),
            ("1e400", nil), ("\"nan\"", nil), ("\"inf\"", nil), ("\"0x10\"", nil), ("null", nil),
        ]
    )
    func doubles(json: String, value: Double?) throws {
        let read = try node(json).doubleValue
        #expect(read == value)
        #expect(read?.sign == value?.sign)
    }

    @Test(
        "A member whose name is escaped is found by its text, and one that only begins like it is not",
        arguments: [
            (#"rec\u006fr\u0064"#, true), (#"\u0072\u0065\u0063ord"#, true), ("record", true),
            (#"rec\u006fr"#, false), (#"rec\u006frds"#, false), (#"\ud83e\udd21record"#, false),
            (#"re\ncord"#, false), (#"record\ud83e\udd21"#, false), (#"\""#, false), ("", false),
        ])
    func escapedNames(name: String, isFound: Bool) throws {
        let root = try node(#"{"first":1,"\#(name)":2,"last":3}"#)
        #expect((root["record"]?.doubleValue == 2) == isFound)
        #expect(root["last"]?.doubleValue == 3)
    }

    @Test("After many paths of a long list, further ones are empty, so that the time is bounded")
    func manyPaths() throws {
        let text = "[" + Array(repeating: "{}", count: 3000).joined(separator: ",") + "]"
        let paths = try JSONDocument(Array(text.utf8)).root.elements.map(\.path)
        #expect(paths[0] == "[0]")
        #expect(paths[1000] == "[1000]")
        #expect(paths[2999] == "")
    }

    @Test("The path of a node is computed from the root")
    func paths() throws {
        let root = try node(#"{"operations":[0,{"record":{"fields":{"year":{"value":[1,2]}}}}]}"#)
        let operation = root["operations"]?.elements.dropFirst().first { _ in true }
        let year = operation?["record"]?["fields"]?["year"]?["value"]
        #expect(year?.path == "operations[1].record.fields.year.value")
        #expect(year?.elements.map(\.path).last == "operations[1].record.fields.year.value[1]")
        #expect(root.path == "")
        #expect(root.missing("query").culprit == "query")
    }
}
