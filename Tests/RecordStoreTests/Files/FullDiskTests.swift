import Foundation
import GRDB
import Records
import SQLiteSupport
import Testing

@Suite("A full disk")
struct FullDiskTests {
    private static let file = FileManager.default.temporaryDirectory.appendingPathComponent("a.sqlite")

    private func code(_ result: ResultCode, opening file: URL? = nil) -> String {
        let error = Records.RecordError(storage: DatabaseError(resultCode: result), opening: file)
        return "\(error.code.rawValue) \(error.culprit ?? "")"
    }

    @Test("No room for a page, or for the index of the log, is a lack of room")
    func full() {
        #expect(code(.SQLITE_FULL) == "quotaExceeded storage")
        #expect(code(.SQLITE_IOERR_SHMSIZE) == "quotaExceeded storage")
        #expect(code(.SQLITE_IOERR_SHMSIZE, opening: Self.file) == "quotaExceeded storage")
    }

    @Test("A file that cannot be opened or read is an error of the server while there is room")
    func other() {
        for result in [ResultCode.SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_IOERR_READ, .SQLITE_CORRUPT] {
            #expect(code(result) == "internalError ")
            #expect(code(result, opening: Self.file) == "internalError ")
        }
    }
}
