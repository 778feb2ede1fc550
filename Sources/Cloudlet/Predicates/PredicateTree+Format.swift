import Foundation
internal import Records

extension PredicateTree {
    /// The predicate as text including its constants, for logs.
    var format: String {
        var writer = PredicateWriter(arguments: nil)
        writer.write(self)
        return writer.text
    }
}

/// Writes a predicate as text. With a list of arguments, each constant is written as `%@` and appended to the
/// list.
struct PredicateWriter {
    private(set) var text = ""
    private(set) var arguments: [FieldValue]?

    init(arguments: [FieldValue]?) {
        self.arguments = arguments
    }

    mutating func write(_ tree: PredicateTree) {
        switch tree {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): write(comparison)
        case .and(let parts): write(parts, joinedBy: " AND ", empty: true)
        case .or(let parts): write(parts, joinedBy: " OR ", empty: false)
        case .not(let part):
            text += "NOT ("
            write(part)
            text += ")"
        case .refused: text += "BLOCKPREDICATE"
        }
    }

    private mutating func write(_ parts: [PredicateTree], joinedBy separator: String, empty: Bool) {
        guard !parts.isEmpty else { return write(.constant(empty)) }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += separator }
            let isCompound =
                switch part {
                case .and, .or: true
                default: false
                }
            if isCompound { text += "(" }
            write(part)
            if isCompound { text += ")" }
        }
    }

    private mutating func write(_ comparison: PredicateComparison) {
        if let quantifier = comparison.quantifier { text += quantifier.rawValue + " " }
        write(comparison.left)
        text += " " + comparison.relation.rawValue
        if !comparison.options.isEmpty { text += "[\(comparison.options)]" }
        text += " "
        write(comparison.right)
    }

    private mutating func write(_ expression: PredicateExpression) {
        switch expression {
        case .key(let key): text += PredicateWords.isReserved(key) ? "#\(key)" : key
        case .itself: text += "SELF"
        case .variable(let name): text += "$\(name)"
        case .constant(nil): text += "NULL"
        case .constant(let value?): write(value)
        case .function(let name, let parameters):
            text += "\(name)("
            write(list: parameters)
            text += ")"
        case .arithmetic(let symbol, let left, let right):
            text += "("
            write(left)
            text += " \(symbol) "
            write(right)
            text += ")"
        case .aggregate(let elements):
            text += "{"
            write(list: elements)
            text += "}"
        }
    }

    private mutating func write(list expressions: [PredicateExpression]) {
        for (index, expression) in expressions.enumerated() {
            if index > 0 { text += ", " }
            write(expression)
        }
    }

    private mutating func write(_ value: FieldValue) {
        if arguments != nil {
            arguments?.append(value)
            text += "%@"
        } else {
            text += Self.literal(value)
        }
    }

    private static func literal(_ value: FieldValue) -> String {
        switch value {
        case .string(let string):
            let escaped = string.replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: "\"", with: "\\\"")
            return "\"\(escaped)\""
        case .int64(let number): return String(number)
        case .double(let number): return String(number)
        case .timestamp(let moment):
            return "CAST(\(moment.date.timeIntervalSinceReferenceDate), \"NSDate\")"
        case .bytes(let data): return "<\(data.count) bytes>"
        case .reference(let reference): return reference.recordName
        case .asset: return "<asset>"
        case .location(let location): return "<\(location.latitude),\(location.longitude)>"
        case .list(_, let values): return "{" + values.map(literal).joined(separator: ", ") + "}"
        }
    }
}

/// The archived form of a predicate: format text with arguments, or the reason why it cannot be sent.
struct ArchivedPredicate: Codable, Hashable, Sendable {
    var format: String
    var arguments: [FieldValue]
    var refusal: String?

    init(_ tree: PredicateTree) {
        var writer = PredicateWriter(arguments: [])
        writer.write(tree)
        format = writer.text
        arguments = writer.arguments ?? []
        refusal = tree.refusal
    }

    var predicate: NSPredicate {
        if let refusal { return CKFormatPredicate(tree: .refused(refusal)) }
        return CKFormatPredicate(tree: PredicateParser.tree(format, arguments: arguments.map { .value($0) }))
    }
}

extension ArchivedPredicate {
    private enum CodingKeys: String, CodingKey {
        case format
        case arguments
        case refusal
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        format = try container.decode(String.self, forKey: .format)
        arguments = try container.decode([ArchivedValue].self, forKey: .arguments)
            .compactMap { FieldValue($0.object) }
        refusal = try container.decodeIfPresent(String.self, forKey: .refusal)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format, forKey: .format)
        try container.encode(arguments.compactMap { ArchivedValue($0.object) }, forKey: .arguments)
        try container.encodeIfPresent(refusal, forKey: .refusal)
    }
}

extension PredicateTree {
    /// The reason why the predicate cannot be sent, from its first refused part; nil if it can be sent.
    var refusal: String? {
        switch self {
        case .refused(let reason): reason
        case .and(let parts), .or(let parts): parts.lazy.compactMap(\.refusal).first
        case .not(let part): part.refusal
        case .constant, .comparison: nil
        }
    }
}
