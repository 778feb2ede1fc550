import Records
import Testing

@testable import CloudConsole

@Suite("Values as texts of forms")
struct ValueTextTests {
    private static let values: [(FieldValue, String)] = [
        (.string("a\nb \\ c"), "a\nb \\ c"), (.int64(-7), "-7"), (.double(0.1), "0.1"),
        (.timestamp(Timestamp(milliseconds: 1_401_710_400_000)), "2014-06-02T12:00:00Z"),
        (.timestamp(Timestamp(milliseconds: 1_401_710_400_250)), "2014-06-02T12:00:00.250Z"),
        (.timestamp(Timestamp(milliseconds: -62_135_596_800_000)), "-62135596800000 ms"),
        (.timestamp(Timestamp(milliseconds: 1_795_741_083_997)), "2026-11-27T00:58:03.997Z"),
        (.timestamp(Timestamp(milliseconds: -1)), "1969-12-31T23:59:59.999Z"),
        (.timestamp(Timestamp(milliseconds: 253_402_300_799_999)), "9999-12-31T23:59:59.999Z"),
        (.timestamp(Timestamp(milliseconds: 253_402_300_800_000)), "253402300800000 ms"),
        (.timestamp(Timestamp(milliseconds: .max)), "9223372036854775807 ms"),
        (.timestamp(Timestamp(milliseconds: .min)), "-9223372036854775808 ms"),
        (.bytes([1, 2, 255]), "AQL/"), (.reference(Reference(recordName: "p 1")), "p 1"),
        (.location(Location(latitude: 37.33, longitude: -122.03)), "37.33, -122.03"),
        (.list(.string, []), "[]"),
        (.list(.string, ["a\nb", "\\n", "", "[]"]), "a\\nb\n\\\\n\n\n\\[]"),
        (.list(.string, ["[]"]), "\\[]"), (.list(.int64, [1, 2]), "1\n2"),
        (.list(.reference, [.reference(Reference(recordName: "a"))]), "a"),
    ]

    @Test("Each value has one text, which is parsed as the same value", arguments: values.indices)
    func roundTrip(index: Int) throws {
        let (value, text) = Self.values[index]
        #expect(ValueText.text(of: value) == text)
        #expect(try ValueText.value(text, value.type, field: "f") == value)
    }

    @Test("Each fraction of a second is written in ISO 8601")
    func fractions() {
        for fraction in Int64(1)...999 {
            let text = ValueText.text(of: Timestamp(milliseconds: 1_795_741_083_000 + fraction))
            #expect(text == "2026-11-27T00:58:03.\(String(1000 + fraction).dropFirst())Z")
        }
    }

    @Test(
        "A text that is no value of the type is refused with the field's name",
        arguments: [
            ("x", FieldType.scalar(.int64)), ("9223372036854775808", .scalar(.int64)), ("", .scalar(.int64)),
            ("nan", .scalar(.double)), ("inf", .scalar(.double)), ("yesterday", .scalar(.timestamp)),
            ("é", .scalar(.bytes)), ("91, 0", .scalar(.location)), ("0, 181", .scalar(.location)),
            ("1", .scalar(.location)), ("nan, 0", .scalar(.location)), (" ", .scalar(.reference)),
            ("1\nx", .list(.int64)), ("file", .scalar(.asset)),
        ])
    func refused(text: String, type: FieldType) {
        let error = #expect(throws: RecordError.self) { try ValueText.value(text, type, field: "cost") }
        #expect(error?.culprit == "cost")
        #expect(error?.code == .badRequest)
    }

    @Test("Every thousandth of a second is written as a date")
    func thousandths() {
        for milliseconds in Int64(1_795_742_438_000)..<1_795_742_439_000 {
            let time = FieldValue.timestamp(Timestamp(milliseconds: milliseconds))
            let text = ValueText.text(of: time)
            #expect(text.hasPrefix("2026-11-27T01:20:38") && text.hasSuffix("Z"), "\(text)")
            let read = try? ValueText.value(text, .scalar(.timestamp), field: "at")
            #expect(read == time, "\(text)")
        }
    }

    @Test(
        "A time of any length is read or refused",
        arguments: [
            "99999999999999999999-01-01T00:00:00Z", "9999999999-12-31T23:59:59Z",
            "-9999999999-12-31T23:59:59Z", "2014-99-99T99:99:99Z", "2014-06-02T12:00:00+99:99",
            "2014-06-02T12:00:00.99999999999999999999999999Z", "2014-06-02T99999999999999999999:00:00Z",
            "99999999999999999999 ms",
        ])
    func times(text: String) {
        let value = try? ValueText.value(text, .scalar(.timestamp), field: "f")
        // Every value that was parsed has a text.
        #expect(value.map { ValueText.text(of: $0).isEmpty } != true)
    }

    @Test("The beginning of a value is longer than requested, or it is the whole value")
    func beginnings() {
        let values: [FieldValue] = [
            .list(.int64, (1...1000).map { .int64($0) }), .bytes(Array(repeating: 7, count: 1000)),
            .list(.bytes, [.bytes(Array(repeating: 7, count: 1000)), .bytes([1])]),
            .string(String(repeating: "x", count: 1000)), .list(.string, ["a", "[]", "b\nc"]),
        ]
        for value in values {
            let whole = ValueText.text(of: value)
            for bytes in [0, 1, 7, 60, 10_000] {
                let beginning = ValueText.beginning(of: value, bytes: bytes)
                #expect(whole.hasPrefix(beginning), "\(bytes)")
                #expect(beginning == whole || beginning.utf8.count > bytes, "\(bytes)")
            }
        }
    }

    @Test("A form keeps the order of its fields, and decodes plus signs, escapes and CR LF")
    func form() throws {
        let form = try FormFields("a=1+2&b=%26%3D&a=x%0D%0Ay&empty=&sole&%61=3")
        #expect(form["a"] == "1 2")
        #expect(form.all("a") == ["1 2", "x\ny", "3"])
        #expect(form["b"] == "&=")
        #expect(form["empty"] == "")
        #expect(form.text("empty") == nil)
        #expect(form["sole"] == "")
        #expect(form["none"] == nil)
        #expect(throws: RecordError.self) { try form.required("empty") }
    }

    @Test("A form that cannot be read, or has too many fields, is refused")
    func badForms() {
        #expect(throws: RecordError.self) { try FormFields("a=%00") }
        #expect(throws: RecordError.self) { try FormFields("a=%FF") }
        let many = String(repeating: "a=1&", count: FormFields.maximumFields)
        #expect(throws: Never.self) { try FormFields(many) }
        #expect(throws: RecordError.self) { try FormFields(many + "a=1") }
    }

    @Test("A shortened text ends at a whole character, within its bytes before and after escaping")
    func budget() {
        var budget = PageTextBudget(bytes: 12)
        #expect(budget.take("aé", bytes: 2).text == "a")
        #expect(budget.bytes == 11)
        let (quotes, isCut) = budget.take("\"\"", bytes: 10)
        #expect(quotes == "\"")
        #expect(isCut)
        #expect(budget.bytes == 5)
        #expect(budget.whole("\"", bytes: 10) == nil)
        #expect(budget.bytes == 5)
        #expect(budget.shortened("abc", bytes: 3) == "abc")
        #expect(budget.shortened("abc", bytes: 3) == "ab…")
        #expect(budget.bytes == 0)
    }

    @Test("A slice of a list links to the previous and the next slice")
    func slices() {
        let list = Array(1...7)
        let first = ListSlice(list, from: nil, size: 3)
        #expect(first.elements == [1, 2, 3])
        #expect(first.links("/a").map(\.href) == ["/a?from=3"])
        let middle = ListSlice(list, from: "3", size: 3)
        #expect(middle.links("/a?b=c").map(\.href) == ["/a?b=c&from=0", "/a?b=c&from=6"])
        let beyond = ListSlice(list, from: "99", size: 3)
        #expect(beyond.elements == [7])
        #expect(ListSlice(list, from: "-5", size: 3).elements == [1, 2, 3])
        #expect(ListSlice([Int](), from: "x", size: 3).links("/a") == [])
    }
}
