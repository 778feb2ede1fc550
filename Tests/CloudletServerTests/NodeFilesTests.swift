import Directory
import ServerData
import Testing

@testable import CloudletServer

@Suite("The place of files of several nodes")
struct NodeFilesTests {
    @Test("After one node has used an object store, none starts without one")
    func mark() async throws {
        let directory = MemoryDirectory()
        try await AssetEngines.check(hasBucket: false, directory)
        try await AssetEngines.check(hasBucket: true, directory)
        try await AssetEngines.check(hasBucket: true, directory)
        let error = await #expect(throws: ServerError.self) {
            try await AssetEngines.check(hasBucket: false, directory)
        }
        #expect(error?.nextStep.contains("--assets") == true)
    }
}
