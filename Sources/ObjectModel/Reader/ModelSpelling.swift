import Foundation
import Records

/// The XML elements and attributes of data models.
enum ModelSpelling {
    /// The elements that are read, by the element around them.
    static let children: [String: Set<String>] = [
        "": ["model"],
        "model": ["entity", "configuration"],
        "entity": ["attribute", "relationship", "uniquenessConstraints"],
        "configuration": ["memberEntity"],
        "uniquenessConstraints": ["uniquenessConstraint"],
        "uniquenessConstraint": ["constraint"],
    ]

    /// Elements that do not affect stored objects. They are ignored with everything that they contain.
    static let ignored: Set<String> = [
        "userInfo", "elements", "fetchRequest", "fetchedProperty", "fetchIndex", "compoundIndexes",
        "composite",
    ]

    /// The known attributes of each element, including those that do not affect stored objects.
    static let attributes: [String: Set<String>] = [
        "model": [
            "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
            "minimumToolsVersion", "macOSVersion", "iOSVersion", "sourceLanguage",
            "userDefinedModelVersionIdentifier", "usedWithCloudKit", "usedWithSwiftData",
        ],
        "entity": common.union([
            "representedClassName", "parentEntity", "isAbstract", "codeGenerationType",
            "coreSpotlightDisplayNameExpression",
        ]),
        "attribute": property.union([
            "attributeType", "defaultValueString", "defaultDateTimeInterval", "usesScalarValueType",
            "allowsExternalBinaryDataStorage", "allowsCloudEncryption", "derived", "derivationExpression",
            "valueTransformerName", "customClassName", "attributeValueClassName",
        ]),
        "relationship": property.union([
            "toMany", "ordered", "deletionRule", "destinationEntity", "inverseName", "inverseEntity",
        ]),
        "configuration": ["name", "usedWithCloudKit"],
        "memberEntity": ["name"],
        "constraint": ["value"],
    ]

    /// Attributes with rules that stores here do not check.
    static let unchecked: Set<String> = [
        "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
        "regularExpressionString",
    ]

    private static let common: Set<String> = [
        "name", "syncable", "elementID", "renamingIdentifier", "versionHashModifier",
    ]

    private static let property = common.union([
        "optional", "transient", "indexed", "indexedBySpotlight", "spotlightIndexingEnabled",
        "storedInTruthFile", "preservesValueInHistoryOnDeletion", "minCount", "maxCount",
    ])

    static let types: [String: StoreLayout.AttributeType] = [
        "Integer 16": .integer16, "Integer 32": .integer32, "Integer 64": .integer64, "Decimal": .decimal,
        "Double": .double, "Float": .float, "String": .string, "Boolean": .boolean, "Date": .date,
        "Binary": .binaryData, "Binary Data": .binaryData, "UUID": .uuid, "URI": .uri,
        "Transformable": .transformable, "Undefined": .undefined, "undefined": .undefined,
        "Object ID": .objectID, "ObjectID": .objectID, "Composite": .composite,
    ]

    static let deleteRules: [String: StoreLayout.DeleteRule] = [
        "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny, "No Action": .noAction,
    ]

    /// The Boolean value of `YES`, `NO` and their other spellings; nil for any other text.
    static func boolean(_ text: String) -> Bool? {
        switch text {
        case "YES", "true", "1": true
        case "NO", "false", "0": false
        default: nil
        }
    }

    /// The default value that the text spells; nil if it is not a value of the type.
    static func value(_ text: String, of type: StoreLayout.AttributeType) -> FieldValue? {
        let value: FieldValue?
        switch type {
        case .integer16, .integer32, .integer64:
            value = (Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }).map { .int64($0) }
        case .boolean: value = boolean(text).map { .int64($0 ? 1 : 0) }
        case .double, .float, .decimal: value = Double(text).map { .double($0) }
        case .string, .uuid, .uri: value = .string(text)
        case .date: value = Double(text).flatMap(moment).map { .timestamp($0) }
        case .binaryData, .transformable, .undefined, .objectID, .composite: value = nil
        }
        return value.flatMap { type.accepts($0) ? $0 : nil }
    }

    /// A number of seconds since 2001, the reference date of Foundation; nil if it is not finite or too far
    /// away.
    private static func moment(_ seconds: Double) -> Timestamp? {
        let milliseconds = ((seconds + Date.timeIntervalBetween1970AndReferenceDate) * 1000).rounded()
        guard abs(milliseconds) < 1e15 else { return nil }
        return Timestamp(milliseconds: Int64(milliseconds))
    }
}
