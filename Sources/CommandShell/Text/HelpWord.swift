import Foundation

/// `CMD help`, which people type as often as `help CMD`.
public enum HelpWord {
    /// The arguments with a `help` at their end as an option, where a command is all they name.
    public static func moved(in arguments: [String]) -> [String] {
        guard arguments.count > 1, arguments.last == "help",
            arguments.dropLast().allSatisfy({ $0.first?.isLetter == true }), arguments[0] != "help"
        else { return arguments }
        return arguments.dropLast() + ["--help"]
    }
}
