import Foundation

/// Names as bash, zsh and fish may be told them.
public enum ShellWord {
    /// Whether a shell puts the name into a command line as it is.
    ///
    /// The names come from a server, and shells expand what completion offers: bash runs `$(…)` in it while
    /// somebody presses Tab. So only letters, figures and `. _ @ + ,` are offered, and `-` inside of a
    /// name.
    public static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, first != "-", VisibleText.isLine(name) else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || "._@+,-".contains($0) }
    }
}
