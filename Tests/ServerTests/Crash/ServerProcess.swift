import Foundation
import Testing

/// `cloudlet serve --open` on a data folder, from the binary that stands beside the tests.
final class ServerProcess: Sendable {
    let url: URL
    private let process: ChildProcess

    /// Starts a server and returns when it is ready.
    static func start(data: URL) async throws -> ServerProcess {
        let process = try ChildProcess(
            try binary("cloudlet").path, ["serve", "--data", data.path, "--port", "0", "--open"],
            keeping: ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"])
        let text = await firstLines(of: process.output)
        let address = try #require(text.split(separator: "\n").first.map(String.init), "no server started")
        return ServerProcess(url: try #require(URL(string: address)), process: process)
    }

    private init(url: URL, process: ChildProcess) {
        self.url = url
        self.process = process
    }

    /// Ends the process at once, as the loss of power would, and waits until it is gone.
    func kill() async {
        process.send(SIGKILL)
        _ = await process.code()
    }

    /// Asks the process to stop and returns its exit code.
    func stop() async -> Int32 {
        process.send(SIGTERM)
        return await process.code()
    }

    /// A product of this package.
    static func binary(_ name: String) throws -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/" {
            let file = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: file.path) { return file }
            folder.deleteLastPathComponent()
        }
        throw Missing(name: name)
    }

    private struct Missing: Error {
        let name: String
    }

    /// Reads until the line that says `ready`, on a thread that may wait.
    private static func firstLines(of handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var text = ""
                while !text.contains("ready\n") {
                    let data = handle.availableData
                    if data.isEmpty { break }
                    text += String(decoding: data, as: UTF8.self)
                }
                continuation.resume(returning: text)
            }
        }
    }
}
