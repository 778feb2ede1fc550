import Foundation

/// Starts the program `cloudlet serve` from the folder of this program.
enum CloudletProgram {
    /// The request limits and quotas of the server: the default ones, or none.
    enum Limits: CaseIterable {
        case shipped
        case none
    }

    /// Starts a server on a folder. It is ready when this returns.
    ///
    /// - Parameters:
    ///   - isOpen: Whether people sign in by name and the first use of a container creates it.
    ///   - countsRequests: Whether the server counts its requests for the telemetry.
    ///   - database: The URL of the PostgreSQL database for the data; nil: files in the folder keep them.
    /// - Throws: `RowSkipped` if the program has not been built.
    static func serve(
        _ data: URL, _ limits: Limits, isOpen: Bool = true, countsRequests: Bool = true,
        database: String? = nil
    ) throws -> ChildProcess {
        var arguments = ["serve", "--data", data.path, "--port", "0"]
        if let database { arguments += ["--database", database] }
        if isOpen { arguments.append("--open") }
        if limits == .none { arguments.append("--no-request-limits") }
        if !countsRequests { arguments.append("--no-telemetry") }
        return try ChildProcess(
            executable: try executable, arguments: arguments, announcement: .addressAndReady,
            endsWithInput: false, environment: environment(home: data))
    }

    private static var executable: URL {
        get throws {
            guard let folder = Bundle.main.executableURL?.deletingLastPathComponent() else {
                throw BenchmarkError("the path of this program is unknown")
            }
            let program = folder.appendingPathComponent("cloudlet")
            guard FileManager.default.isExecutableFile(atPath: program.path) else {
                throw RowSkipped(
                    "the program cloudlet is missing beside this program; build it with: swift build "
                        + "-c release --product cloudlet"
                )
            }
            return program
        }
    }

    /// This process's environment without Cloudlet's variables and configuration files of the current user.
    private static func environment(home: URL) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CLOUDLET_") }
        environment["HOME"] = home.path
        environment["XDG_CONFIG_HOME"] = nil
        return environment
    }
}
