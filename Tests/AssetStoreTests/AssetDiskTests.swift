import NIOCore
import Records
import Testing
import _NIOFileSystem

@testable import AssetStore

@Suite("Disk of the file store")
struct AssetDiskTests {
    #if os(Linux)
    @Test("A full disk causes the same error as for records")
    func full() async throws {
        let error = await #expect(throws: RecordError.self) {
            try await translatingDiskErrors {
                try await FileSystem.shared.withFileHandle(
                    forWritingAt: "/dev/full", options: .modifyFile(createIfNecessary: false)
                ) { file in
                    _ = try await file.write(contentsOf: [1], toAbsoluteOffset: 0)
                }
            }
        }
        #expect(error?.code == .quotaExceeded)
        #expect(error?.culprit == "storage")
    }
    #endif

    @Test("The maximum file size of the file system causes the error for a full disk")
    func tooLarge() {
        let error = RecordError.translating(Errno.fileTooLarge) as? RecordError
        #expect(error?.code == .quotaExceeded)
    }

    @Test("A folder without write permission causes an internal error")
    func other() {
        let error = RecordError.translating(Errno.permissionDenied) as? RecordError
        #expect(error?.code == .internalError)
    }
}
