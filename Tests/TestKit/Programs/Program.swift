import Foundation
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The programs of this package, which are built into the same folder as the tests.
enum Program {
    /// The result of a process.
    struct End: Equatable, Sendable {
        var code: Int32
        var output: String
        var errors: String
    }

    /// The error for a program that is missing beside the tests.
    struct NotBuilt: Error {
        let name: String
    }

    /// The path of a program of this package.
    static func path(_ name: String) throws -> String {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/" {
            let file = folder.appendingPathComponent(name).path
            if FileManager.default.isExecutableFile(atPath: file) { return file }
            folder.deleteLastPathComponent()
        }
        throw NotBuilt(name: name)
    }

    /// Runs `cloudlet` to its end.
    static func cloudlet(_ arguments: String..., input: String = "") async throws -> End {
        try await Command(arguments, input: input).end()
    }

    /// Runs a line of the system's shell in which `$app` is the path of `clown-central`, and `$cloudlet` that
    /// of `cloudlet`. The current folder is new and is also the home folder.
    static func shell(_ line: String, input: String = "") async throws -> End {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let programs = "app=\(try path("clown-central")); cloudlet=\(try path("cloudlet"));"
        let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-c", "\(programs) \(line)"],
            environment: .custom(["PATH": search, "HOME": folder.path, "LANG": "C.UTF-8"]),
            workingDirectory: FilePath(folder.path), input: .string(input),
            output: .string(limit: 16 << 20), error: .string(limit: 16 << 20)
        )
        let code: Int32 =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): 128 + signal
            }
        return End(code: code, output: result.standardOutput, errors: result.standardError)
    }
}
