import Cloudlet
import Testing

@testable import ClownCentral

@Suite("Photo records of other people")
struct PhotoRecordTests {
    private func photo(name: String = "a.jpg", byteCount: Int = 1) throws -> Photo {
        var record = CKRecord(recordType: Photo.recordType, recordID: CKRecord.ID(recordName: "p"))
        let size = PixelSize(width: 1, height: 1)
        Photo(id: "p", name: name, partyID: "q", size: size, byteCount: byteCount).write(to: &record)
        return try Photo(record)
    }

    @Test(
        "A photo's file name never leaves its folder, whatever name the record has",
        arguments: [
            ("a.jpg", "a.jpg"), ("../../x.clown", "x.clown"), ("/etc/passwd", "passwd"), ("..", "photo"),
            (".profile", "photo"), ("", "photo"), ("a/", "photo"), ("a\u{0}b", "photo"), ("a\nb", "photo"),
        ])
    func fileName(name: String, expected: String) throws {
        #expect(try photo(name: name).fileName == expected)
    }

    @Test("Impossible file lengths are clamped, so that the sum of a list does not overflow")
    func lengths() throws {
        let longest = try photo(byteCount: .max).byteCount
        #expect(longest > 1 << 30 && longest <= Int.max / 1_000_000)
        #expect(try photo(byteCount: .min).byteCount == 0)
    }
}
