import Directory
import ServerData
import Testing

@testable import CloudletServer

@Suite("The place of files of several nodes")
struct NodeFilesTests {
    @Test("After an object store got files, no node starts without one, but for nodes of a copy")
    func mark() async throws {
        let directory = MemoryDirectory()
        func check(hasBucket: Bool, of installation: String = "a") async throws {
            try await AssetEngines.check(hasBucket: hasBucket, of: installation, directory)
        }
        try await check(hasBucket: false)
        try await check(hasBucket: true)
        try await check(hasBucket: true)
        let error = await #expect(throws: ServerError.self) { try await check(hasBucket: false) }
        #expect(error?.nextStep.contains("--assets") == true)
        // A copy of all data has the same directory.
        try await check(hasBucket: false, of: "b")
        // As after a move of files to an object store, which no node has used yet.
        try await directory.markObjectStore(of: "c")
        await #expect(throws: ServerError.self) { try await check(hasBucket: false, of: "c") }
    }
}
