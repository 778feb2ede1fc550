extension EntitySpec {
    /// The entity's name in shell commands.
    var word: String { name.lowercased() }

    /// The source code of the entity's model.
    var code: String {
        """
        import Foundation
        import Records

        struct \(name): Model {
            static let properties: [Property<\(name)>] = [
        \(fields.map { "        \($0.line)," }.joined(separator: "\n"))
            ]

            let id: String
        \(fields.map { "    \($0.declaration)" }.joined(separator: "\n"))

            init(id: String) { self.id = id }
        }

        """
    }

    /// An example argument `FIELD=VALUE` for the README.
    var example: String {
        let examples = fields.compactMap { field in field.example.map { "\(field.name)=\($0)" } }
        return examples.first ?? "FIELD=VALUE"
    }
}

extension EntitySpec.Field {
    /// The field's line in the model's `properties`.
    fileprivate var line: String {
        let word =
            switch kind {
            case .text: "text"
            case .bool: "flag"
            case .int: "whole"
            case .real: "number"
            case .date: "date"
            case .photo: "photo"
            case .texts: "texts"
            case .reference: "reference"
            case .references: "references"
            }
        let target = kind.target.map { ", to: \($0).self" } ?? ""
        return ".\(word)(\"\(name)\", \\.\(name)\(target))"
    }

    fileprivate var declaration: String {
        let rest =
            switch kind {
            case .text: " = \"\""
            case .bool: " = false"
            case .int: " = 0"
            case .real: " = 0.0"
            case .date: ": Date?"
            case .photo: ": Asset?"
            case .texts, .references: ": [String] = []"
            case .reference: ": String?"
            }
        return "var \(name)\(rest)"
    }

    /// An example value; nil for fields whose values depend on files or other models.
    fileprivate var example: String? {
        switch kind {
        case .text: "Tea"
        case .bool: "yes"
        case .int: "7"
        case .real: "1.5"
        case .date: "tomorrow"
        case .texts: "red,blue"
        case .photo, .reference, .references: nil
        }
    }
}
