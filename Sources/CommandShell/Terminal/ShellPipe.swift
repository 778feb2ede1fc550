import Subprocess

/// The way of a text into a command of the system's shell.
enum ShellPipe {
    /// Runs a command with a text on its standard input, and waits for its end.
    ///
    /// A program that ends before it has read everything (`head`, a pager that is left) is the usual case and
    /// no error. The library's own input of texts ends our process then: it never closes what it could not
    /// write to the end. So the writing is done here, and closed whatever becomes of it.
    static func run<Output: OutputProtocol, Talk: ErrorOutputProtocol>(
        _ command: String, reading text: String, output: Output, error: Talk
    ) async throws -> ExecutionResult<Void, Output, Talk> {
        try await Subprocess.run(
            .name("sh"), arguments: ["-c", command], input: .inputWriter, output: output, error: error
        ) { execution in
            _ = try? await execution.standardInputWriter.write(text)
            try await execution.standardInputWriter.finish()
        }
    }
}
