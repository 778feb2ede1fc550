import Foundation

extension Machine {
    /// The machine that this process runs on.
    ///
    /// Apart from this, nothing in a shell asks for the time, for chance or for its surroundings.
    ///
    /// - Parameter name: The program, after which the folder of this process is named.
    public static func current(for name: String) -> Machine {
        let process = ProcessInfo.processInfo
        let files = FileManager.default
        return Machine(
            // The wiring of every program: time and chance are passed on from here.
            now: { Date() },
            pause: { try await Task.sleep(for: .seconds($0)) },
            randomSeed: UInt64.random(in: 0...UInt64.max),
            environment: process.environment,
            executable: Bundle.main.executablePath,
            currentFolder: URL(fileURLWithPath: files.currentDirectoryPath, isDirectory: true),
            workFolder: files.temporaryDirectory.appendingPathComponent(
                "\(name)-\(process.processIdentifier)", isDirectory: true)
        )
    }
}
