import Foundation

/// When to use colours.
public enum ColorChoice: String, CaseIterable, Sendable {
    /// If the output is a terminal with colours.
    case auto
    /// Everywhere.
    case always
    /// Nowhere.
    case never
}

/// Adds colours to text for a terminal, if they are on. No information is conveyed by colour alone.
struct Paint: Sendable {
    let isOn: Bool

    init(isOn: Bool) {
        self.isOn = isOn
    }

    /// Creates a paint that is on or off by the flag, the environment variables, and whether the output is a
    /// terminal.
    init(choice: ColorChoice, environment: [String: String], isTerminal: Bool) {
        switch choice {
        case .always: isOn = true
        case .never: isOn = false
        case .auto:
            if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false {
                isOn = false
            } else if let forced = environment["CLICOLOR_FORCE"], !forced.isEmpty, forced != "0" {
                isOn = true
            } else {
                isOn = isTerminal && !["dumb", ""].contains(environment["TERM"] ?? "")
            }
        }
    }

    func heading(_ text: String) -> String { painted(text, "1") }
    func error(_ text: String) -> String { painted(text, "1;31") }
    func hint(_ text: String) -> String { painted(text, "36") }
    func quiet(_ text: String) -> String { painted(text, "2") }

    private func painted(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
