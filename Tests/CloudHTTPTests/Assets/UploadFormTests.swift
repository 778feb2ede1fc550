import NIOCore
import Records
import RecordsWire
import Testing

@testable import CloudHTTP
@testable import ServerKit
@testable import TestKit

@Suite("Uploads as forms", .timeLimit(.minutes(30)))
struct UploadFormTests {
    /// A form as OpenCloudKit sends it, with other parts before and after the file.
    private static func form(_ file: String, boundary: String = "b0undary") -> String {
        """
        preamble\r
        --\(boundary)\r
        Content-Disposition: form-data; name="note"\r
        \r
        --not the boundary\r
        --\(boundary)\r
        Content-Disposition: form-data; name="files"; filename="photo.jpg"\r
        Content-Type: image/jpeg\r
        \r
        \(file)\r
        --\(boundary)--\r
        epilogue
        """
    }

    /// Returns the bytes that a scanner extracts from a form in pieces of this size. Throws its errors.
    private static func scanned(_ form: String, piece: Int) throws -> String {
        let bytes = Array(form.utf8)
        var scanner = MultipartScanner(boundary: "b0undary")
        var file = ByteBuffer()
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try scanner.push(ByteBuffer(bytes: bytes[start..<min(start + piece, bytes.count)]))
            while let found = try scanner.next() { file.writeImmutableBuffer(found) }
        }
        try scanner.finish()
        return String(buffer: file)
    }

    @Test("The file is extracted from pieces of any size, even if its bytes resemble boundaries")
    func pieces() throws {
        let files = [
            "", "x", "\r\n", "\r\n--b0undar", "\r\n--b0undar\r\n--b0undarx", "a\r\r\n-", "--b0undary",
            "\r\n--\r\n\r\n--b0", String(repeating: "\r\n--b0undarz", count: 40),
        ]
        for file in files {
            let form = Self.form(file)
            for piece in [1, 2, 3, 5, 7, 11, 64, form.utf8.count] {
                #expect(try Self.scanned(form, piece: piece) == file, "\(file.debugDescription) by \(piece)")
            }
        }
    }

    @Test("The headers of a part may be as long as their limit, even if they arrive byte by byte")
    func headerLimit() throws {
        for (count, fits) in [(16_000, true), (16_500, false)] {
            let form = """
                --b0undary\r
                Content-Disposition: form-data; name="files"\r
                X-Filler: \(String(repeating: "x", count: count))\r
                \r
                hello\r
                --b0undary--
                """
            let file = try? Self.scanned(form, piece: 1)
            #expect(file == (fits ? "hello" : nil))
        }
    }

    @Test("The parts of a form, and its bytes outside of the file, are limited")
    func bounded() throws {
        let part = "--b0undary\r\n\r\n\r\n"
        let file = "--b0undary\r\nContent-Disposition: form-data; name=files\r\n\r\nhello\r\n--b0undary--"
        #expect(try Self.scanned(String(repeating: part, count: 15) + file, piece: 64) == "hello")
        #expect(throws: RecordError.self) {
            try Self.scanned(String(repeating: part, count: 16) + file, piece: 64)
        }
        let preamble = String(repeating: "x", count: 1_000_000) + "\r\n"
        #expect(try Self.scanned(preamble + file, piece: 65_536) == "hello")
        let error = #expect(throws: RecordError.self) {
            try Self.scanned(preamble + preamble + preamble + file, piece: 65_536)
        }
        #expect(error?.code == .limitExceeded)
        // The file may have any size, even if all of its bytes could begin a boundary.
        let returns = String(repeating: "\r", count: 3_000_000)
        let found = try Self.scanned(Self.form(returns), piece: 65_536)
        #expect(found.utf8.count == returns.utf8.count)
    }

    @Test("A form with long headers is read from pieces of any size")
    func longHeaders() throws {
        let padding = "X-Padding: " + String(repeating: "x\r", count: 8000)
        let part = "--b0undary\r\n\(padding)\r\n\r\n\r\n"
        let file = "--b0undary\r\nContent-Disposition: form-data; name=files\r\n\r\nhello\r\n--b0undary--"
        let form = String(repeating: part, count: 15) + file
        for piece in [1, 3, 16_000] { #expect(try Self.scanned(form, piece: piece) == "hello") }
    }

    @Test("A form may begin with its boundary, and a part may have no headers")
    func short() throws {
        let bare = "--b0undary\r\nContent-Disposition: form-data; name=files\r\n\r\nhello\r\n--b0undary--"
        #expect(try Self.scanned(bare, piece: 4) == "hello")
        let system = "--b0undary\r\nContent-Disposition: form-data; name=filesystem\r\n\r\next4\r\n" + bare
        #expect(try Self.scanned(system, piece: 5) == "hello")
        let mixed = "--b0undary\r\n\r\nno headers\r\n" + bare
        #expect(try Self.scanned(mixed, piece: 9) == "hello")
    }

    @Test("Forms without exactly one complete file are refused")
    func refused() {
        let one = "--b0undary\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\nhello\r\n"
        let other = "--b0undary\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nhello\r\n"
        let endless = "--b0undary\r\n" + String(repeating: "x", count: 20_000)
        for form in [one, one + one + "--b0undary--", other + "--b0undary--", "", "hello", endless] {
            let error = #expect(throws: RecordError.self, "\(form.prefix(80))") {
                try Self.scanned(form, piece: 1000)
            }
            #expect(error?.code == .badRequest)
        }
    }

    @Test("The boundary is read from all valid forms of the content type")
    func boundaries() {
        let types: [(String?, String?)] = [
            ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data; Boundary=\"a b\"", "a b"),
            ("multipart/form-data; charset=utf-8; boundary=abc", "abc"), ("multipart/form-data", nil),
            ("multipart/form-data; boundary=", nil), ("application/octet-stream", nil), (nil, nil),
            ("multipart/form-data; boundary=" + String(repeating: "x", count: 71), nil),
        ]
        for (type, boundary) in types { #expect(MultipartScanner.boundary(of: type) == boundary) }
    }

    @Test("A file from a form can be saved in a record")
    func form() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let content = String(repeating: "0123456789abcdef\r\n", count: 30_000)
            let address = try await world.uploadAddress(record: "f1", as: alice)
            let headers: CloudHeaders = ["Content-Type": "multipart/form-data; boundary=b0undary"]
            let reply = try await world.send(
                "POST", address, headers: headers, body: Array(Self.form(content).utf8)
            )
            let receipt = reply.json["singleFile"]
            #expect(receipt["size"].number == Int64(content.utf8.count))
            let saved = try await world.modify("public", [world.photo("f1", receipt)], as: alice)
            let place = try #require(saved.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
            #expect(try await world.send("GET", place).text == content)
            let other = try await world.uploadAddress(record: "f2", as: alice)
            let cut = try await world.send(
                "POST", other, headers: headers, body: Array(Self.form(content).utf8.prefix(5000))
            )
            #expect(cut.failure == "400 BAD_REQUEST: the form ends before its last boundary")
            #expect(world.incomingFiles == [])
        }
    }
}
