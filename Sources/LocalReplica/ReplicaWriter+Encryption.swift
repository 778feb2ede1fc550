import GRDB
import Records

extension ReplicaWriter {
    /// Returns the fields of a record. Those that were ever encrypted in a record of the type are marked as
    /// encrypted. The next value of such a field is therefore sent encrypted, even if the server no longer
    /// marks the field, or if the field was removed and set again.
    func keepingEncryption(of fields: Fields, in type: String) throws -> Fields {
        let known = try Set(
            String.fetchAll(
                database.cachedStatement(sql: "SELECT name FROM encrypted_field WHERE type = ?"),
                arguments: [type]))
        var kept = fields
        var new: Set<String> = []
        for (name, field) in fields {
            if field.isEncrypted {
                if !known.contains(name) { new.insert(name) }
            } else if known.contains(name), field.value.canBeEncrypted {
                kept[name]?.isEncrypted = true
            }
        }
        try storeEncrypted(new, in: type)
        return kept
    }

    /// Stores the names of the encrypted fields in server versions.
    func storeEncrypted(in versions: [ServerVersion]) throws {
        var names: [String: Set<String>] = [:]
        for version in versions {
            for (name, field) in version.fields where field.isEncrypted {
                names[version.type, default: []].insert(name)
            }
        }
        for (type, names) in names { try storeEncrypted(names, in: type) }
    }

    private func storeEncrypted(_ names: Set<String>, in type: String) throws {
        for name in names {
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO encrypted_field (type, name) VALUES (?, ?)"
            ).execute(arguments: [type, name])
        }
    }
}

extension FieldValue {
    /// Whether a field with this value can be encrypted: assets and references cannot.
    fileprivate var canBeEncrypted: Bool {
        elements.allSatisfy { value in
            switch value {
            case .asset, .reference: false
            default: true
            }
        }
    }
}
