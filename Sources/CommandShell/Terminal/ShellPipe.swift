import Subprocess

/// Passes text to a command of the system's shell.
enum ShellPipe {
    /// Runs a command with a text on its standard input, and waits for its end.
    ///
    /// A program may end before it has read everything, for example `head` or a pager: that is not an error.
    /// The text input of the Subprocess library would end this process in that case, because it does not
    /// close a pipe after a failed write. Therefore this function writes the text itself and always closes
    /// the pipe.
    static func run<Output: OutputProtocol, Messages: ErrorOutputProtocol>(
        _ command: String, reading text: String, output: Output, error: Messages
    ) async throws -> ExecutionResult<Void, Output, Messages> {
        try await Subprocess.run(
            .name("sh"), arguments: ["-c", command], input: .inputWriter, output: output, error: error
        ) { execution in
            _ = try? await execution.standardInputWriter.write(text)
            try await execution.standardInputWriter.finish()
        }
    }
}
