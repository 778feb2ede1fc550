/// The method and path of a call, parsed from text such as `GET /operator/1/people/:name`.
package struct PathTemplate: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case fixed(Substring)
        case parameter(String)
    }

    package let method: CloudRequest.Method
    let parts: [Part]

    init(_ text: String) {
        let words = text.split(separator: " ")
        method = words.first.flatMap { CloudRequest.Method(rawValue: String($0)) } ?? .post
        parts = (words.last ?? "").split(separator: "/").map {
            $0.first == ":" ? .parameter(String($0.dropFirst())) : .fixed($0)
        }
    }

    /// The parameters of a path by name, still percent-encoded; nil if the path does not match the template.
    func parameters(of path: [Substring]) -> [String: Substring]? {
        guard path.count == parts.count else { return nil }
        var parameters: [String: Substring] = [:]
        for (part, text) in zip(parts, path) {
            switch part {
            case .fixed(let fixed): if fixed != text { return nil }
            case .parameter(let name): parameters[name] = text
            }
        }
        return parameters
    }

    /// The path with its parameters replaced by these values, percent-encoded.
    func path(_ values: [String: String]) -> String {
        parts.map { part in
            switch part {
            case .fixed(let text): "/" + text
            case .parameter(let name): "/" + PercentEncoding.encode(values[name] ?? "")
            }
        }
        .joined()
    }
}
