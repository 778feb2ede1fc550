import Foundation

/// Names that are safe to pass to bash, zsh and fish as completions.
public enum ShellWord {
    /// Whether a shell inserts the name into a command line without expanding it.
    ///
    /// The names come from a server, and shells expand what completion offers: bash runs `$(…)` in a name as
    /// soon as Tab is pressed. Only letters, digits and `. _ @ + ,` are safe, and `-` after the first
    /// character.
    public static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, first != "-", VisibleText.isLine(name) else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || "._@+,-".contains($0) }
    }
}
