import ObjectModel

extension StoreLayout {
    /// The version of the rules by which records become objects. A greater one lets refused records be
    /// imported again.
    private static let rules = 1

    /// A text that differs for layouts of which one may accept records that the other refuses.
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
