import Foundation

/// `cloudlet serve` as it was built beside this program: the server that people run.
enum CloudletProgram {
    /// Whether the server has the limits that it has by itself: requests of a person, an app and a container,
    /// and what their records may take up.
    enum Limits: CaseIterable {
        case shipped
        case none
    }

    /// Starts a server on a folder; it is ready when this returns.
    ///
    /// - Parameter isOpen: whether people sign in by name and containers come into being at first use.
    /// - Throws: `RowSkipped` when the program has not been built.
    static func serve(_ data: URL, _ limits: Limits, isOpen: Bool = true) throws -> ChildProcess {
        var arguments = ["serve", "--data", data.path, "--port", "0"]
        if isOpen { arguments.append("--open") }
        if limits == .none { arguments.append("--no-request-limits") }
        return try ChildProcess(
            executable: try executable, arguments: arguments, announcement: .addressAndReady,
            endsWithInput: false, environment: environment(home: data))
    }

    private static var executable: URL {
        get throws {
            guard let folder = Bundle.main.executableURL?.deletingLastPathComponent() else {
                throw BenchmarkError("the place of this program is unknown")
            }
            let program = folder.appendingPathComponent("cloudlet")
            guard FileManager.default.isExecutableFile(atPath: program.path) else {
                throw RowSkipped(
                    "there is no cloudlet beside this program: swift build -c release --product cloudlet")
            }
            return program
        }
    }

    /// The environment of this process without the settings of the person who measures.
    private static func environment(home: URL) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CLOUDLET_") }
        environment["HOME"] = home.path
        environment["XDG_CONFIG_HOME"] = nil
        return environment
    }
}
