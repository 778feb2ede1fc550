import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Sends the codes that prove addresses with a program of the operator.
///
/// The program reads two lines from its standard input: the address and the code. Neither is an argument,
/// because everybody on the machine can read the arguments of a process.
struct CodeCommand: Sendable {
    /// The reason why a code was not sent.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let status: TerminationStatus

        var description: String { "\(path) ended with \(status)" }
    }

    let path: String

    func send(_ code: String, to address: String) async throws {
        let result = try await Subprocess.run(
            .path(FilePath(path)), input: .inputWriter, output: .discarded, error: .discarded
        ) { execution in
            // A program may end before it has read everything; its exit code tells whether it failed.
            _ = try? await execution.standardInputWriter.write("\(address)\n\(code)\n")
            try await execution.standardInputWriter.finish()
        }
        if result.terminationStatus != .exited(0) {
            throw Failure(path: path, status: result.terminationStatus)
        }
    }
}
