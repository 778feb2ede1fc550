import Records
import Testing

@Suite("Fields are ordered by name, each name once")
struct FieldsTests {
    @Test("Names are sorted by their bytes, whatever the order of assignment")
    func order() {
        var fields = Fields()
        for name in ["b", "a", "é", "Z", "aa", "c", "a"] { fields[name] = Field(.string(name)) }
        #expect(fields.names == ["Z", "a", "aa", "b", "c", "é"])
        #expect(fields.values.map(\.value) == fields.names.map(FieldValue.string))
        #expect(fields.count == 6)
    }

    @Test("Assigning replaces a field, assigning nil removes it, and removing it twice has no effect")
    func assignment() {
        var fields: Fields = ["a": Field(.int64(1)), "b": Field(.int64(2))]
        fields["a"] = Field(.int64(3))
        #expect(fields["a"] == Field(.int64(3)))
        fields["a"] = nil
        fields["a"] = nil
        #expect(fields["a"] == nil)
        #expect(fields.names == ["b"])
        #expect(!fields.isEmpty)
    }

    @Test("A field is found by its name, and no other name finds one", arguments: [0, 1, 16, 17, 100])
    func search(count: Int) {
        var fields = Fields()
        for number in 0..<count { fields["f\(number)"] = Field(.int64(Int64(number))) }
        for number in 0..<count {
            #expect(fields["f\(number)"] == Field(.int64(Int64(number))))
        }
        for name in ["", "f", "f\(count)", "F0", "f00", "z"] { #expect(fields[name] == nil) }
    }

    @Test("Collections with equal fields are equal, however they were built")
    func equality() {
        let first: Fields = ["a": Field(.int64(1)), "b": Field(.int64(2), isEncrypted: true)]
        let second: Fields = ["b": Field(.int64(2), isEncrypted: true), "a": Field(.int64(1))]
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(Set([first, second]).count == 1)
        #expect(Array(first).map(\.0) == ["a", "b"])
    }

    @Test("Each value has the right type, and empty lists keep theirs", arguments: ScalarType.allCases)
    func types(type: ScalarType) {
        #expect(FieldValue.list(type, []).type == .list(type))
        #expect(FieldValue.list(type, []).elements.isEmpty)
        #expect(FieldType.list(type).element == type)
        #expect(FieldType.list(type).isList && !FieldType.scalar(type).isList)
    }

    @Test("There are twice as many field types as scalar types")
    func allTypes() {
        #expect(FieldType.allCases.count == 2 * ScalarType.allCases.count)
        #expect(Set(FieldType.allCases).count == FieldType.allCases.count)
    }
}
