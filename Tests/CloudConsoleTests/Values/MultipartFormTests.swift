import Records
import Testing

@testable import CloudConsole

@Suite("Forms with files")
struct MultipartFormTests {
    private func form(_ text: String) throws -> FormFields {
        try FormFields(MultipartForm(Array(text.utf8), boundary: "b"))
    }

    @Test("Texts and files are read as browsers send them")
    func read() throws {
        let form = try form(
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\ny\r\n"
                + "--b\r\ncontent-disposition: form-data; name=\"file.%22q\"; filename=\"c d.png\"\r\n"
                + "Content-Type: image/png\r\n\r\n\r\n-\r\n--x\r\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"none\"; filename=\"\"\r\n\r\n\r\n--b--\r\n")
        #expect(form["a"] == "x\ny")
        #expect(form.files == ["file.\"q": [Array("\r\n-\r\n--x\r".utf8)]])
    }

    @Test(
        "What is no such form is refused",
        arguments: [
            "", "a=b", "--c\r\n", "--b", "--b\r\n", "--b\r\nX: y\r\n\r\nz\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\u{0}\r\n--b--",
        ])
    func refused(text: String) {
        #expect(throws: RecordError.self) { try form(text) }
    }

    @Test("A form has a limited number of inputs")
    func limit() throws {
        let part = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n"
        let many = String(repeating: part, count: FormFields.maximumFields)
        #expect(try form(many + "--b--").all("a").count == FormFields.maximumFields)
        #expect(throws: RecordError.self) { try form(many + part + "--b--") }
    }

    @Test("A file is an image by its first bytes only")
    func images() {
        let starts: [([UInt8], String?)] = [
            ([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 1], "image/png"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            (Array("GIF89a..".utf8), "image/gif"), (Array("RIFF1234WEBPVP8 ".utf8), "image/webp"),
            (Array("RIFF1234WAVE".utf8), nil), (Array("<svg onload=\"x\">".utf8), nil), ([], nil),
            (Array("<html>".utf8), nil),
        ]
        for (bytes, type) in starts { #expect(ImageScreen.type(of: bytes) == type) }
    }
}
