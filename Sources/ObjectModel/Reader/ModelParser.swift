import Foundation
import Records

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Collects the entities and configurations of a model while its XML is parsed.
final class ModelParser: NSObject {
    private(set) var entities: [StoreLayout.Entity] = []
    private(set) var configurations: [StoreLayout.Configuration] = []
    private(set) var warnings: [String] = []
    private(set) var problems: [MirroredStoreError] = []

    private let name: String
    private let limits: ModelFile.Limits
    /// The elements around the current position that are read.
    private var path: [String] = []
    /// The number of elements of an ignored subtree around the current position; 0 outside such subtrees.
    private var ignoredDepth = 0
    private var hasRoot = false
    private var propertyCount = 0
    private var memberCount = 0
    private var extraWarnings = 0
    private var failure: MirroredStoreError?

    init(name: String, limits: ModelFile.Limits) {
        self.name = name
        self.limits = limits
    }

    /// Parses the XML of a model.
    ///
    /// - Throws: `MirroredStoreError` with the code `incompatibleModel` if it is no model or exceeds a limit.
    func parse(_ contents: Data) throws {
        if contents.count > limits.bytes {
            throw refusal("it has more than \(limits.bytes) bytes", next: "check whether it is a data model")
        }
        try checkEncoding(contents)
        let parser = XMLParser(data: contents)
        parser.shouldResolveExternalEntities = false
        parser.delegate = self
        let isParsed = parser.parse()
        if let failure { throw failure }
        // The XML parser on Linux does not report every truncated document.
        guard isParsed, parser.parserError == nil, hasRoot, path.isEmpty, ignoredDepth == 0 else {
            throw refusal("it is no well-formed XML, or is cut off", next: "open and save it in Xcode")
        }
        if extraWarnings > 0 { warnings.append("\(name): \(extraWarnings) more warnings") }
    }

    /// Refuses other encodings than UTF-8, which could hide a document type declaration, and such
    /// declarations, which define XML entities.
    private func checkEncoding(_ contents: Data) throws {
        guard let text = String(data: contents, encoding: .utf8), !text.utf8.contains(0) else {
            throw refusal("it is not in UTF-8", next: "open and save it in Xcode")
        }
        if let declaration = text.prefixMatch(of: /\u{FEFF}?<\?xml[^>]*encoding\s*=\s*["']([^"'>]*)["']/),
            declaration.1.lowercased() != "utf-8"
        {
            throw refusal(
                "it declares the encoding \(declaration.1)", next: "save it in UTF-8, as Xcode does")
        }
        if text.range(of: "<!DOCTYPE", options: .caseInsensitive) != nil
            || text.range(of: "<!ENTITY", options: .caseInsensitive) != nil
        {
            throw refusal(
                "it has a document type declaration, which no data model needs",
                next: "remove the declaration; if it came from a stranger, do not trust the file")
        }
    }

    private func refusal(_ reason: String, next: String) -> MirroredStoreError {
        .model(name, reason, next: next)
    }

    // MARK: Elements

    /// Handles the start of an element. Returns false if parsing must stop.
    fileprivate func start(_ element: String, _ attributes: [String: String]) -> Bool {
        if ignoredDepth > 0 || ModelSpelling.ignored.contains(element) {
            ignoredDepth += 1
        } else if ModelSpelling.children[path.last ?? ""]?.contains(element) == true {
            path.append(element)
            warnAboutAttributes(of: element, attributes)
            take(element, attributes)
        } else if path.isEmpty {
            failure = refusal("its root element is \(element), not model", next: "check the path")
        } else {
            warn(place, "the element \(element) is unknown and ignored")
            ignoredDepth += 1
        }
        if path.count + ignoredDepth > limits.depth {
            failure = refusal(
                "its elements nest deeper than \(limits.depth)", next: "check whether it is a data model")
        }
        return failure == nil
    }

    /// Handles the end of an element. Returns false if parsing must stop.
    fileprivate func end(_ element: String) -> Bool {
        if ignoredDepth > 0 {
            ignoredDepth -= 1
        } else if path.last == element {
            path.removeLast()
        } else {
            failure = refusal(
                "its element \(path.last ?? "") ends with \(element)", next: "open and save it in Xcode")
        }
        return failure == nil
    }

    private func take(_ element: String, _ attributes: [String: String]) {
        switch element {
        case "model": hasRoot = true
        case "entity":
            count(entities.count, limits.entities, "entities")
            entities.append(entity(attributes))
        case "attribute", "relationship":
            propertyCount += 1
            count(propertyCount - 1, limits.properties, "attributes and relationships")
            if element == "attribute" { takeAttribute(attributes) } else { takeRelationship(attributes) }
        case "uniquenessConstraint": entities[entities.count - 1].uniquenessConstraints.append([])
        case "constraint": takeConstraint(attributes["value"] ?? "")
        case "configuration":
            count(configurations.count, limits.configurations, "configurations")
            configurations.append(
                StoreLayout.Configuration(
                    required("name", attributes, "a configuration"), members: [],
                    isMirrored: boolean("usedWithCloudKit", attributes)))
        case "memberEntity":
            memberCount += 1
            count(memberCount - 1, limits.members, "member entities")
            let member = required("name", attributes, "a member entity")
            configurations[configurations.count - 1].members.append(member)
        default: break
        }
    }

    private func entity(_ attributes: [String: String]) -> StoreLayout.Entity {
        StoreLayout.Entity(
            required("name", attributes, "an entity"), parent: attributes["parentEntity"],
            isAbstract: boolean("isAbstract", attributes))
    }

    private func takeConstraint(_ value: String) {
        let last = entities.count - 1
        let index = entities[last].uniquenessConstraints.count - 1
        if index >= 0 { entities[last].uniquenessConstraints[index].append(value) }
    }

    private func takeAttribute(_ attributes: [String: String]) {
        let name = required("name", attributes, "an attribute")
        let culprit = "\(place).\(name)"
        let spelled = attributes["attributeType"] ?? "Undefined"
        guard let type = ModelSpelling.types[spelled] else {
            return report(
                culprit, "its type \(spelled) is unknown",
                next: "use one of \(ModelSpelling.types.keys.sorted())")
        }
        if boolean("derived", attributes) {
            warn(culprit, "stores compute no derived values; it is stored as an ordinary attribute")
        }
        let key = type == .date ? "defaultDateTimeInterval" : "defaultValueString"
        var value: FieldValue?
        if let text = attributes[key] {
            value = ModelSpelling.value(text, of: type)
            if value == nil {
                report(
                    culprit, "its default value \(text) is not of the type \(spelled)",
                    next: "correct or remove the default value")
            }
        }
        entities[entities.count - 1].attributes.append(
            StoreLayout.Attribute(
                name, type, isOptional: boolean("optional", attributes), defaultValue: value,
                isEncrypted: boolean("allowsCloudEncryption", attributes),
                isTransient: boolean("transient", attributes),
                allowsExternalStorage: boolean("allowsExternalBinaryDataStorage", attributes)))
    }

    private func takeRelationship(_ attributes: [String: String]) {
        let name = required("name", attributes, "a relationship")
        let culprit = "\(place).\(name)"
        let spelled = attributes["deletionRule"] ?? "Nullify"
        guard let rule = ModelSpelling.deleteRules[spelled] else {
            return report(
                culprit, "its delete rule \(spelled) is unknown",
                next: "use one of \(ModelSpelling.deleteRules.keys.sorted())")
        }
        let isToMany = boolean("toMany", attributes)
        for limit in ["minCount", "maxCount"] where isToMany && attributes[limit] != nil {
            warn(culprit, "stores do not check \(limit)")
        }
        if boolean("transient", attributes) {
            warn(culprit, "it is transient, and is stored as an ordinary relationship")
        }
        entities[entities.count - 1].relationships.append(
            StoreLayout.Relationship(
                name, to: required("destinationEntity", attributes, culprit),
                inverse: attributes["inverseName"] ?? "", isToMany: isToMany, deleteRule: rule,
                isOptional: boolean("optional", attributes), isOrdered: boolean("ordered", attributes)))
    }

    // MARK: Attributes of elements

    private func warnAboutAttributes(of element: String, _ attributes: [String: String]) {
        let known = ModelSpelling.attributes[element] ?? []
        for key in attributes.keys.sorted() where !known.contains(key) {
            warn(
                culprit(attributes),
                ModelSpelling.unchecked.contains(key)
                    ? "stores do not check \(key)" : "the XML attribute \(key) is unknown and ignored")
        }
    }

    /// The entity around the current position, or the file.
    private var place: String {
        path.contains("entity") ? entities.last?.name ?? name : name
    }

    /// The entity and property that the attributes of an element name.
    private func culprit(_ attributes: [String: String]) -> String {
        guard let own = attributes["name"] else { return place }
        return place == name || path.last == "entity" ? own : "\(place).\(own)"
    }

    private func boolean(_ key: String, _ attributes: [String: String]) -> Bool {
        guard let text = attributes[key] else { return false }
        if let value = ModelSpelling.boolean(text) { return value }
        warn(culprit(attributes), "\(key) is \(text), neither YES nor NO; it counts as NO")
        return false
    }

    private func required(_ key: String, _ attributes: [String: String], _ culprit: String) -> String {
        if let text = attributes[key], !text.isEmpty { return text }
        report(
            place == name || path.last == "entity" || culprit.contains(".")
                ? culprit : "\(place): \(culprit)", "it has no \(key)", next: "add it in Xcode")
        return ""
    }

    private func count(_ count: Int, _ limit: Int, _ what: String) {
        if count < limit { return }
        failure = refusal("it has more than \(limit) \(what)", next: "split the model")
    }

    private func report(_ culprit: String, _ reason: String, next: String) {
        if problems.count < limits.warnings {
            problems.append(.model("\(name): \(culprit)", reason, next: next))
        }
    }

    private func warn(_ culprit: String, _ text: String) {
        if warnings.count < limits.warnings {
            warnings.append(culprit == name ? "\(name): \(text)" : "\(name): \(culprit): \(text)")
        } else {
            extraWarnings += 1
        }
    }
}

extension ModelParser: XMLParserDelegate {
    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        if !start(elementName, attributes) { parser.abortParsing() }
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
        if !end(elementName) { parser.abortParsing() }
    }
}
