// Owns the one place where this program asks for the time, for chance and for its surroundings.
import ClownCentral
import Foundation

extension Machine {
    /// The machine that this process runs on.
    static var current: Machine {
        let process = ProcessInfo.processInfo
        let files = FileManager.default
        let name = "clown-central-\(process.processIdentifier)"
        return Machine(
            now: { Date() },
            pause: { try await Task.sleep(for: .seconds($0)) },
            randomSeed: UInt64.random(in: 0...UInt64.max),
            environment: process.environment,
            executable: Bundle.main.executablePath,
            currentFolder: URL(fileURLWithPath: files.currentDirectoryPath, isDirectory: true),
            workFolder: files.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
        )
    }
}
