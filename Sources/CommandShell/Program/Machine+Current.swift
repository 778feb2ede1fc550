import Foundation

extension Machine {
    /// The machine that this process runs on.
    ///
    /// It is the only place in a shell that reads the clock, draws random numbers and reads the process
    /// environment.
    ///
    /// - Parameter name: The name of the program, which the name of the process's temporary folder begins
    ///   with.
    public static func current(for name: String) -> Machine {
        let process = ProcessInfo.processInfo
        let files = FileManager.default
        return Machine(
            // The wiring of every program: the clock and the random seed are passed on from here.
            now: { Date() },
            pause: { try await Task.sleep(for: .seconds($0)) },
            randomSeed: UInt64.random(in: 0...UInt64.max),
            environment: process.environment,
            executable: Bundle.main.executablePath,
            currentFolder: URL(fileURLWithPath: files.currentDirectoryPath, isDirectory: true),
            workFolder: WorkFolders.path(
                of: name, process: process.processIdentifier, number: UInt64.random(in: 0...UInt64.max),
                in: files.temporaryDirectory)
        )
    }
}
