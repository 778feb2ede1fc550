import Foundation

/// A scene of the walkthrough: a script whose first comment is its title.
struct Scene: Equatable, Sendable {
    /// A step of a scene.
    enum Step: Equatable, Sendable {
        /// Text for the audience.
        case narration(String)
        /// Text after which the audience can type commands.
        case invitation(String)
        case statement(Statement)
    }

    /// The name of the script without its extension, for example `03-tasks`.
    let name: String
    /// The number at the beginning of the name; 0 without one.
    let number: Int
    let title: String
    let steps: [Step]

    init(name: String, text: String) {
        self.name = name
        number = Int(name.prefix { $0.isNumber }) ?? 0
        var steps: [Step] = []
        var title: String?
        for statement in Statement.statements(in: text) {
            let line = statement.text.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("#?") {
                steps.append(.invitation(line.dropFirst(2).trimmingCharacters(in: .whitespaces)))
            } else if line.hasPrefix("#") {
                let words = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
                if title == nil { title = words } else { steps.append(.narration(words)) }
            } else if !line.isEmpty {
                steps.append(.statement(Statement(line: statement.line, text: line)))
            }
        }
        self.title = title ?? name
        self.steps = steps
    }

    /// Whether a word selects this scene: its number, its name, or part of its name.
    func isSelected(by word: String) -> Bool {
        if let number = Int(word) { return self.number == number }
        return name.localizedCaseInsensitiveContains(word)
    }
}
