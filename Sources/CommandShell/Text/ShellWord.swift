import Foundation

/// Names that are safe to pass to bash, zsh and fish as completions.
public enum ShellWord {
    /// Whether a shell inserts the name into a command line without expanding it.
    ///
    /// The names come from a server, and shells expand what completion offers: bash runs `$(…)` in a name as
    /// soon as Tab is pressed. Only letters, digits and `. _ @ + ,` are safe, and `-` after the first
    /// character.
    public static func isPlain(_ name: String) -> Bool {
        guard name.unicodeScalars.first != "-", VisibleText.isLine(name) else { return false }
        return consistsOfLettersAndDigits(name, and: "._@+,-")
    }

    /// Whether a text is not empty and consists of letters and digits of any script and of these marks.
    ///
    /// It looks at scalars, since other shells read bytes: some letters, for example U+0D4E, and the `;` or
    /// `|` after them are one `Character`, which counts as a letter.
    static func consistsOfLettersAndDigits(_ text: String, and marks: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                if marks.unicodeScalars.contains(scalar) { return true }
                let properties = scalar.properties
                if properties.isAlphabetic || properties.numericType != nil { return true }
                // Marks of a letter, such as accents. No ASCII character is one.
                switch properties.generalCategory {
                case .nonspacingMark, .spacingMark, .enclosingMark: return true
                default: return false
                }
            }
    }
}
