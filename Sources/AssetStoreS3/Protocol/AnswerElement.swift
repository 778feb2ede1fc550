import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of an answer in XML.
struct AnswerElement: Sendable {
    var name: String
    var text = ""
    var children: [AnswerElement] = []

    /// The text of the first child with this name; nil if there is none.
    subscript(_ name: String) -> String? { children.first { $0.name == name }?.text }

    /// The children with this name.
    func all(_ name: String) -> [AnswerElement] { children.filter { $0.name == name } }

    /// Parses the root element; nil for anything but well-formed XML, and for more than an answer can
    /// contain.
    static func parse(_ bytes: [UInt8]) -> AnswerElement? {
        let collector = Collector()
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        parser.delegate = collector
        guard parser.parse(), parser.parserError == nil, collector.path.isEmpty else { return nil }
        return collector.root
    }

    private final class Collector: NSObject, XMLParserDelegate {
        var root: AnswerElement?
        var path: [AnswerElement] = []
        private var count = 0
        /// A page of a list has 1,000 objects with up to ten elements each.
        private static let limits = (elements: 40_000, depth: 16)

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            count += 1
            if count > Self.limits.elements || path.count >= Self.limits.depth {
                return parser.abortParsing()
            }
            path.append(AnswerElement(name: name))
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if let last = path.indices.last { path[last].text += text }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            guard let element = path.popLast() else { return }
            if let last = path.indices.last { path[last].children.append(element) } else { root = element }
        }
    }
}
