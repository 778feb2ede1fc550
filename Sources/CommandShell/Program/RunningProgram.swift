public import Foundation

/// A program that is ready to run commands, and how to close it.
public struct RunningProgram: Sendable {
    let program: any ShellProgram
    let firstCommands: [String]
    let temporaryFolders: [URL]
    let close: @Sendable () async -> Void

    /// Creates a running program.
    ///
    /// - Parameters:
    ///   - firstCommands: The commands to run before all others. If one fails, a script ends with its exit
    ///     code, and a shell at a terminal continues.
    ///   - temporaryFolders: The folders to delete if the process is interrupted before `close` has run.
    ///   - close: Ends everything that the program has started.
    public init(
        _ program: any ShellProgram, firstCommands: [String] = [], temporaryFolders: [URL] = [],
        close: @escaping @Sendable () async -> Void = {}
    ) {
        self.program = program
        self.firstCommands = firstCommands
        self.temporaryFolders = temporaryFolders
        self.close = close
    }
}
