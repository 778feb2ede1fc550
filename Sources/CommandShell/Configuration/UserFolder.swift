public import Foundation

/// The folders of the current user, by environment variables.
public enum UserFolder {
    /// The user's home folder, which `~` in a path stands for.
    public static func home(_ environment: [String: String]) -> String {
        named("HOME", environment) ?? NSHomeDirectory()
    }

    /// The folder of a program's settings: in `XDG_CONFIG_HOME`, by default `~/.config`.
    public static func settings(of program: String, _ environment: [String: String], home: String) -> URL {
        folder(named("XDG_CONFIG_HOME", environment) ?? home + "/.config", program)
    }

    /// The folder of a program's state: in `XDG_STATE_HOME`, by default `~/.local/state`.
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
