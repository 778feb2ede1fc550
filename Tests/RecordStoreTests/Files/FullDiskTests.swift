import Foundation
import GRDB
import RecordStoreSQLite
import Records
import RecordsWire
import SQLiteSupport
import Testing

@testable import TestKit

@Suite("A full disk")
struct FullDiskTests {
    private static let file = FileManager.default.temporaryDirectory.appendingPathComponent("a.sqlite")

    private func code(_ result: ResultCode, opening file: URL? = nil) -> String {
        let error = Records.RecordError(storage: DatabaseError(resultCode: result), opening: file)
        return "\(error.code.rawValue) \(error.culprit ?? "")"
    }

    @Test("Too little space for a page or for the index of the log is a full disk")
    func full() {
        #expect(code(.SQLITE_FULL) == "quotaExceeded storage")
        #expect(code(.SQLITE_IOERR_SHMSIZE) == "quotaExceeded storage")
        #expect(code(.SQLITE_IOERR_SHMSIZE, opening: Self.file) == "quotaExceeded storage")
    }

    @Test("A closed database keeps the index of its log, so that it can be opened on a full disk")
    func kept() async throws {
        try await withFolder { folder in
            for _ in 1...2 {
                let store = try SQLiteStore(
                    file: folder.appendingPathComponent("a.sqlite"), durability: .full, newIdentity: 1,
                    codec: FieldJSON())
                try await store.close()
                let sizes = try ["-shm", "-wal"].map { ending in
                    let file = folder.appendingPathComponent("a.sqlite" + ending)
                    return try Data(contentsOf: file).count
                }
                #expect(sizes == [32_768, 0])
            }
        }
    }

    @Test("A disk is full without space for a log, and nearly full below 5 % and 5 GB")
    func room() {
        func state(
            _ free: UInt64, of total: UInt64, _ freeFiles: UInt64 = 0, _ files: UInt64 = 0
        )
            -> DiskRoom.State
        {
            DiskRoom(freeBytes: free, totalBytes: total, freeFiles: freeFiles, totalFiles: files).state
        }
        let gigabyte: UInt64 = 1_000_000_000
        #expect(state(0, of: gigabyte) == .usedUp)
        #expect(state(65_535, of: gigabyte) == .usedUp)
        #expect(state(65_536, of: gigabyte) == .scarce)
        #expect(state(gigabyte / 20, of: gigabyte) == .enough)
        #expect(state(5 * gigabyte, of: 1000 * gigabyte) == .enough)
        #expect(state(5 * gigabyte - 1, of: 1000 * gigabyte) == .scarce)
        #expect(state(gigabyte, of: gigabyte, 0, 1000) == .usedUp)
        #expect(state(gigabyte, of: gigabyte, 9, 1000) == .scarce)
        #expect(state(gigabyte, of: gigabyte, 10, 1000) == .enough)
    }

    @Test("A file that cannot be opened or read is an internal error if the disk is not full")
    func other() {
        for result in [ResultCode.SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_IOERR_READ, .SQLITE_CORRUPT] {
            #expect(code(result) == "internalError ")
            #expect(code(result, opening: Self.file) == "internalError ")
        }
    }
}
