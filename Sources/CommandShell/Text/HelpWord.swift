import Foundation

/// Accepts `CMD help` in place of `help CMD`.
public enum HelpWord {
    /// The arguments with a final `help` replaced by `--help`, if all other arguments are command names.
    public static func replaced(in arguments: [String]) -> [String] {
        guard arguments.count > 1, arguments.last == "help",
            arguments.dropLast().allSatisfy({ $0.first?.isLetter == true }), arguments[0] != "help"
        else { return arguments }
        return arguments.dropLast() + ["--help"]
    }
}
