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

    private let process: ChildProcess
    private let output: Lines
    private let errors: Lines

    convenience init(_ arguments: String...) throws { try self.init(arguments) }

    convenience init(_ arguments: [String]) throws {
        try self.init(executable: try ServerProcess.binary("cloudlet").path, arguments)
    }

    /// Starts any command. Nothing of the environment but `PATH` and `HOME` is handed on.
    ///
    /// - Parameter input: what its standard input holds.
    init(executable: String, _ arguments: [String], input: String = "") throws {
        process = try ChildProcess(
            executable, arguments, keeping: ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"], input: input)
        output = Lines(process.output)
        errors = Lines(process.errors)
    }

    /// What the command has said on standard output up to that line.
    func says(_ line: String) async throws -> String { try await output.until(line) }

    /// What the command has said on standard error up to something that ends so.
    func complains(_ line: String) async throws -> String { try await errors.until(line) }

    func send(_ signal: Int32) { process.send(signal) }

    /// Waits for the end.
    func end() async -> End {
        async let (output, errors) = (output.all(), errors.all())
        return End(code: await process.code(), output: await output, errors: await errors)
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
