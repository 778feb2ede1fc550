import Foundation
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("JSON is written compactly")
struct JSONWriterTests {
    @Test("Commas are written only between values")
    func commas() {
        var json = JSONWriter()
        json.beginObject()
        json.member("a", "x")
        json.member("b", nil as String?)
        json.key("c")
        json.beginArray()
        json.integer(-1)
        json.beginObject()
        json.endObject()
        json.beginArray()
        json.endArray()
        json.null()
        json.value(Array("[0]".utf8))
        json.endArray()
        json.flag("d", false)
        json.flag("e", true)
        json.key("f\"")
        json.double(0.5)
        json.endObject()
        #expect(text(json.bytes) == #"{"a":"x","c":[-1,{},[],null,[0]],"e":true,"f\"":0.5}"#)
    }

    @Test("A writer continues after `drain`")
    func drain() {
        var json = JSONWriter()
        json.beginArray()
        json.integer(1)
        let first = json.drain()
        json.integer(2)
        json.endArray()
        #expect(text(first + json.drain()) == "[1,2]")
    }

    @Test("Random texts are decoded unchanged", arguments: [1, 2, 3] as [UInt64])
    func texts(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<2000 {
            let value = random.text() + random.text()
            var json = JSONWriter()
            json.string(value)
            let read = try JSONDocument(json.bytes).root.stringValue
            #expect(read.map { Array($0.utf8) } == Array(value.utf8), "seed \(seed)")
        }
    }

    @Test("Random numbers are decoded unchanged", arguments: [4, 5] as [UInt64])
    func numbers(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<5000 {
            let number = random.double()
            let integer = random.int()
            var json = JSONWriter()
            json.beginArray()
            json.double(number)
            json.integer(integer)
            json.endArray()
            let read = Array(try JSONDocument(json.bytes).root.elements)
            #expect(read[0].doubleValue?.bitPattern == number.bitPattern, "seed \(seed)")
            #expect(read[1].int64Value == integer, "seed \(seed)")
        }
    }

    @Test("NaN and infinities become strings that are not read as numbers")
    func notFinite() throws {
        for number in [Double.nan, .infinity, -.infinity] {
            var json = JSONWriter()
            json.double(number)
            let read = try JSONDocument(json.bytes).root
            #expect(read.kind == .string)
            #expect(read.doubleValue == nil)
        }
    }

    @Test("Base64 equals Foundation's", arguments: [6] as [UInt64])
    func base64(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<2000 {
            let bytes = random.bytes() + random.bytes()
            let encoded = Base64.encode(bytes)
            #expect(encoded == Data(bytes).base64EncodedString())
            #expect(Base64.decode(encoded) == bytes)
            #expect(Base64.decode(encoded.replacing("=", with: "")) == bytes)
        }
    }

    @Test(
        "Other text is not base64",
        arguments: [
            "A", "AA=A", "A===", "====", "AA==AA==", "A-B_", "AAA ", "AAAA\n", "AB==", "AAB=", "ä===",
        ]
    )
    func notBase64(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
