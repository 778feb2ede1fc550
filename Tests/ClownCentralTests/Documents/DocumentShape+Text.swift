// The text of a shape on the page: { key: type }, [type], type | type, and key? for an optional key.
import Foundation

extension DocumentShape {
    /// The shape as text for the page: one line for each outermost key.
    var text: String {
        if let members, !members.isEmpty, kinds.isEmpty, elements == nil {
            return "{\n" + Self.lines(members) + "}"
        }
        if let only = elements?.first, let members = only.members, !members.isEmpty, only.kinds.isEmpty,
            only.elements == nil, kinds.isEmpty, self.members == nil
        {
            return "[{\n" + Self.lines(members) + "}]"
        }
        return inline
    }

    private static func lines(_ members: [Member]) -> String {
        members.map { "  \(part($0))\n" }.joined()
    }

    private static func part(_ member: Member) -> String {
        "\(member.name)\(member.isAlways ? "" : "?"): \(member.shape.inline)"
    }

    private var inline: String {
        var parts = ["string", "number", "boolean"].filter(kinds.contains)
        if let elements { parts.append("[\(elements.first?.inline ?? "")]") }
        if let members {
            let inner = members.map(Self.part).joined(separator: ", ")
            parts.append(inner.isEmpty ? "{}" : "{ \(inner) }")
        }
        if kinds.contains("null") { parts.append("null") }
        return parts.joined(separator: " | ")
    }

    /// Parses such a text; nil if it is invalid.
    init?(text: String) {
        var words = text.matches(of: /[A-Za-z_$][\w$-]*|[\[\]{}|:?*]/).map { String($0.output) }[...]
        guard let shape = Self.shape(&words), words.isEmpty else { return nil }
        self = shape
    }

    private static func shape(_ words: inout ArraySlice<String>) -> DocumentShape? {
        var shape = DocumentShape()
        repeat {
            if words.first == "|" { words.removeFirst() }
            guard let next = words.popFirst(), let part = part(next, &words) else { return nil }
            shape = shape.merged(part)
        } while words.first == "|"
        return shape
    }

    private static func part(_ word: String, _ words: inout ArraySlice<String>) -> DocumentShape? {
        switch word {
        case "[":
            if words.first == "]" {
                words.removeFirst()
                return DocumentShape(kinds: [], elements: [], members: nil)
            }
            guard let inner = shape(&words), words.popFirst() == "]" else { return nil }
            return DocumentShape(kinds: [], elements: [inner], members: nil)
        case "{":
            var members: [Member] = []
            while let name = words.popFirst(), name != "}" {
                let isAlways = words.first != "?"
                if !isAlways { words.removeFirst() }
                guard words.popFirst() == ":", let inner = shape(&words) else { return nil }
                members.append(Member(name: name, shape: inner, isAlways: isAlways))
            }
            return DocumentShape(kinds: [], elements: nil, members: members)
        case "string", "number", "boolean", "null":
            return DocumentShape(kinds: [word], elements: nil, members: nil)
        default: return nil
        }
    }
}
