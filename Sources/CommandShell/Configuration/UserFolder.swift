public import Foundation

/// The folders of whoever runs a program, by the variables of its process.
public enum UserFolder {
    /// The folder that `~` stands for.
    public static func home(_ environment: [String: String]) -> String {
        named("HOME", environment) ?? NSHomeDirectory()
    }

    /// Where a program's settings are: under `XDG_CONFIG_HOME`, else `.config` in the home.
    public static func settings(of program: String, _ environment: [String: String], home: String) -> URL {
        folder(named("XDG_CONFIG_HOME", environment) ?? home + "/.config", program)
    }

    /// Where a program keeps what it remembers: under `XDG_STATE_HOME`, else `.local/state` in the home.
    public static func state(of program: String, _ environment: [String: String], home: String) -> URL {
        folder(named("XDG_STATE_HOME", environment) ?? home + "/.local/state", program)
    }

    private static func folder(_ parent: String, _ program: String) -> URL {
        URL(fileURLWithPath: "\(parent)/\(program)", isDirectory: true).standardizedFileURL
    }

    private static func named(_ variable: String, _ environment: [String: String]) -> String? {
        environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}
