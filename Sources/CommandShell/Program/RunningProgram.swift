public import Foundation

/// A program that is ready to take commands, and how to part from it.
public struct RunningProgram: Sendable {
    let program: any ShellProgram
    let firstCommands: [String]
    let temporaryFolders: [URL]
    let close: @Sendable () async -> Void

    /// A program that is ready.
    ///
    /// - Parameters:
    ///   - firstCommands: What is done before anything else; a failure ends the run with its code.
    ///   - temporaryFolders: What to remove when there is no time to close it.
    ///   - close: Ends what the program has begun.
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
