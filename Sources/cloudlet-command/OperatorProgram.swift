import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A program of the operator that sends a message: a code that proves an address, or an alert.
///
/// The program reads the message from its standard input, not from its arguments, because everybody on the
/// machine can read the arguments of a process.
struct OperatorProgram: Sendable {
    /// The error when the program did not send the message.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let status: TerminationStatus

        var description: String { "\(path) ended with \(status)" }
    }

    let path: String

    /// Runs the program as `send(_:)` does, and ends it when it takes longer than `timeout`.
    func send(_ text: String, within timeout: Duration) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await send(text) }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw TimedOut(path: path, timeout: timeout)
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The error when the program took longer than its time limit.
    struct TimedOut: Error, CustomStringConvertible {
        let path: String
        let timeout: Duration

        var description: String { "\(path) took longer than \(timeout) and was ended" }
    }

    /// Runs the program with a text as its standard input. Throws `Failure` unless it exits with 0.
    func send(_ text: String) async throws {
        let result = try await Subprocess.run(
            .path(FilePath(path)), input: .inputWriter, output: .discarded, error: .discarded
        ) { execution in
            // A program may end before it has read everything; its exit code tells whether it failed.
            _ = try? await execution.standardInputWriter.write(text)
            try await execution.standardInputWriter.finish()
        }
        if result.terminationStatus != .exited(0) {
            throw Failure(path: path, status: result.terminationStatus)
        }
    }
}
