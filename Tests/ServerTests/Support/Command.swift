// Owns a command in a process of its own: what it says, and how it ends.

import Foundation
import Synchronization
import Testing

/// The `cloudlet` binary that stands beside the tests, run with some arguments.
final class Command: Sendable {
    /// What a command left.
    struct End: Sendable {
        var code: Int32
        var output: String
        var errors: String
    }

    private let identifier: Int32
    private let output: Lines
    private let errors: Lines
    private let codes: AsyncStream<Int32>

    /// Starts the command. Nothing of the environment but `PATH` and `HOME` is handed on.
    convenience init(_ arguments: String...) throws { try self.init(arguments) }

    convenience init(_ arguments: [String]) throws {
        try self.init(executable: try ServerProcess.binary("cloudlet").path, arguments)
    }

    /// Starts any command. Nothing of the environment but `PATH` and `HOME` is handed on.
    ///
    /// - Parameter input: what its standard input holds.
    init(executable: String, _ arguments: [String], input: String? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        let own = ProcessInfo.processInfo.environment
        process.environment = own.filter { ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key) }
        let given = input.map { _ in Pipe() }
        process.standardInput = given ?? FileHandle.nullDevice
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        let (codes, code) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            let isSignal = process.terminationReason == .uncaughtSignal
            code.yield(isSignal ? 128 + process.terminationStatus : process.terminationStatus)
            code.finish()
        }
        try process.run()
        if let input, let handle = given?.fileHandleForWriting {
            try handle.write(contentsOf: Data(input.utf8))
            try handle.close()
        }
        self.codes = codes
        identifier = process.processIdentifier
        output = Lines(out.fileHandleForReading)
        errors = Lines(err.fileHandleForReading)
    }

    /// What the command has said on standard output up to that line.
    func says(_ line: String) async throws -> String { try await output.until(line) }

    /// What the command has said on standard error up to something that ends so.
    func complains(_ line: String) async throws -> String { try await errors.until(line) }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Waits for the end.
    func end() async -> End {
        var last: Int32 = -1
        for await code in codes { last = code }
        return End(code: last, output: await output.all(), errors: await errors.all())
    }
}

/// The text of a pipe, read on threads that may wait.
private final class Lines: Sendable {
    private let handle: FileHandle
    private let text = Mutex("")

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    /// The text once it contains that.
    func until(_ mark: String) async throws -> String {
        while true {
            let text = text.withLock { $0 }
            if text.contains(mark) { return text }
            try #require(await readMore(), "the command ended after: \(text)")
        }
    }

    /// The text to its end.
    func all() async -> String {
        while await readMore() {}
        return text.withLock { $0 }
    }

    private func readMore() async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                let data = handle.availableData
                text.withLock { $0 += String(decoding: data, as: UTF8.self) }
                continuation.resume(returning: !data.isEmpty)
            }
        }
    }
}
