import Mustache
import Synchronization

/// Escapes text for HTML scalar by scalar.
///
/// The template library compares characters, so it would not escape a quotation mark that a combining mark
/// follows, and the text would end the attribute that contains it.
struct EscapedText: MustacheContentType {
    func escapeText(_ text: String) -> String {
        var escaped = ""
        escaped.unicodeScalars.reserveCapacity(text.unicodeScalars.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let name = "ESCAPED"
    private static let registration: Void = MustacheContentTypes.register(EscapedText(), named: name)

    /// Renders a template. All values that it inserts are escaped, except those in three braces.
    static func html(_ template: String, _ values: [String: any Sendable]) throws -> String {
        try self.template(template).render(values)
    }

    /// Renders a template with the properties of a view value.
    static func html(_ template: String, view: any Sendable) throws -> String {
        try self.template(template).render(view)
    }

    /// The parsed templates, by their text. All of them are constants of this package, so their number is
    /// bounded.
    private static let parsed = Mutex<[String: MustacheTemplate]>([:])

    private static func template(_ text: String) throws -> MustacheTemplate {
        if let known = parsed.withLock({ $0[text] }) { return known }
        _ = registration
        let template = try MustacheTemplate(string: "{{% CONTENT_TYPE:\(name)}}" + text)
        parsed.withLock { $0[text] = template }
        return template
    }
}
