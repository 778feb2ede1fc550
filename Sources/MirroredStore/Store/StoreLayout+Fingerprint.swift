import ObjectModel

extension StoreLayout {
    /// The version of the rules by which records become objects. Increase it when a rule changes, so that
    /// refused records are imported again.
    private static let rules = 1

    /// A hash of the layout. It differs between two layouts if one may accept records that the other refuses.
    var fingerprint: String {
        let lines = declared.sorted { $0.name < $1.name }.flatMap { entity in
            ["\(entity.name) \(entity.parent ?? "") \(entity.isAbstract)"]
                + entity.attributes.filter { !$0.isTransient }.map(\.line).sorted()
                + entity.relationships.map { end in
                    " \(end.name) \(end.target).\(end.inverse) \(end.isToMany)"
                }.sorted()
        }
        return RecordTranslation.name(for: (["\(Self.rules)"] + lines).joined(separator: "\n"))
    }
}

extension StoreLayout.Attribute {
    fileprivate var line: String {
        let rule = isOptional ? "optional" : "\(String(describing: defaultValue))"
        return " \(name) \(type) \(isEncrypted) \(rule)"
    }
}
