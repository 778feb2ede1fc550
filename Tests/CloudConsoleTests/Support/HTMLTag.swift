/// A start or end tag of a page, with the text after it.
struct HTMLTag: Sendable {
    /// The name, such as `form` and `/form`.
    var name: String
    /// The attributes, unescaped. An attribute without a value has an empty one.
    var attributes: [String: String]
    /// The text up to the next tag, unescaped.
    var text: String

    subscript(name: String) -> String? { attributes[name] }

    /// All tags of a page in their order. Pages escape every `<`, `>` and `"` of a value.
    static func all(of html: String) -> [HTMLTag] {
        html.split(separator: "<", omittingEmptySubsequences: false).dropFirst().map { part in
            let end = part.utf8.firstIndex(of: UInt8(ascii: ">")) ?? part.endIndex
            let text = plain(part[end...].dropFirst())
            var attributes: [String: String] = [:]
            var words = part[..<end].split(separator: "\"", omittingEmptySubsequences: false)
            let name = words[0].prefix { !$0.isWhitespace }
            words[0] = words[0].dropFirst(name.count)
            var waiting: String?
            for (index, word) in words.enumerated() {
                if index % 2 == 1 {
                    if let waiting { attributes[waiting] = plain(word) }
                    continue
                }
                waiting = nil
                for attribute in word.split(whereSeparator: \.isWhitespace) {
                    if attribute.hasSuffix("=") {
                        waiting = String(attribute.dropLast())
                    } else {
                        attributes[String(attribute)] = ""
                    }
                }
            }
            return HTMLTag(name: String(name), attributes: attributes, text: text)
        }
    }

    private static func plain(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        var plain = String(text)
        for (name, sign) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&"),
        ] {
            plain = plain.replacing(name, with: sign)
        }
        return plain
    }
}
