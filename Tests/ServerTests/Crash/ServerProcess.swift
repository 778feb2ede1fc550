// Owns a server in a process of its own, which can be killed.

import Foundation
import Testing

/// `cloudlet serve` on a data folder, from the binary that stands beside the tests.
final class ServerProcess: Sendable {
    let url: URL
    private let identifier: Int32
    private let ended: Task<Int32, Never>

    /// Starts a server and returns when it is ready.
    static func start(data: URL) async throws -> ServerProcess {
        let process = Process()
        process.executableURL = try binary("cloudlet")
        process.arguments = ["serve", "--data", data.path, "--port", "0"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (codes, code) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            code.yield(process.terminationStatus)
            code.finish()
        }
        try process.run()
        let text = await firstLines(of: output.fileHandleForReading)
        let address = try #require(text.split(separator: "\n").first.map(String.init), "no server started")
        return ServerProcess(
            url: try #require(URL(string: address)), identifier: process.processIdentifier, codes: codes
        )
    }

    private init(url: URL, identifier: Int32, codes: AsyncStream<Int32>) {
        self.url = url
        self.identifier = identifier
        // Owned by this value, and ends with the process.
        ended = Task {
            for await code in codes { return code }
            return -1
        }
    }

    /// Ends the process at once, as the loss of power would, and waits until it is gone.
    func kill() async {
        Foundation.kill(identifier, SIGKILL)
        _ = await ended.value
    }

    /// Asks the process to stop and returns its exit code.
    func stop() async -> Int32 {
        Foundation.kill(identifier, SIGTERM)
        return await ended.value
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
