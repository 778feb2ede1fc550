import Records

/// Checks one filter against a record type and converts its value to the form that stores compare (CloudKit
/// Web Services Reference, *Types and Dictionaries*, "Filter Dictionary").
struct FilterRules {
    var type: TypeSchema
    /// The queried zone; nil means all zones.
    var zone: String?
    /// Makes the error for a field without the needed index. The second argument names the index.
    var notMarked: (QueryKey, String) -> RecordError

    func checked(_ filter: Filter) throws(RecordError) -> Filter {
        if filter.comparator.isSearch { return try checkedTokens(filter) }
        guard let key = filter.key else {
            throw RecordError(
                .badRequest, "\(filter.comparator.rawValue) needs a field name", culprit: "filterBy",
                nextStep: "name the field with fieldName or systemFieldName"
            )
        }
        let (fieldType, indexes, isEncrypted) = try description(of: key)
        if isEncrypted {
            throw RecordError(
                .badRequest,
                "Field '\(key.displayName)' has a value type of ENCRYPTED_\(fieldType.name) and cannot "
                    + "be queried "
                    + "using filter type \(filter.comparator.rawValue)",
                culprit: key.displayName, nextStep: "encrypted fields cannot be queried; use a plain field"
            )
        }
        let needed = try neededIndex(of: filter.comparator.negated ?? filter.comparator, on: fieldType, key)
        if !needed.contains(where: indexes.contains) {
            throw notMarked(key, needed.first == .sortable ? "sortable" : "queryable")
        }
        var result = filter
        result.value = localized(
            try coerced(filter, key: key, to: expectedType(filter.comparator, fieldType)), key: key
        )
        try checkDetails(of: result, key: key)
        return result
    }

    // MARK: Keys

    private func description(of key: QueryKey) throws(RecordError) -> (FieldType, IndexSet, Bool) {
        switch key {
        case .system(let field):
            return (.scalar(field.type), type.indexes(of: field), false)
        case .field(let name):
            guard let field = type.fields[name] else { throw QueryRules.missing(name, in: type) }
            return (field.type, field.indexes, field.isEncrypted)
        }
    }

    /// The indexes that can serve this comparator; any one of them is enough.
    private func neededIndex(
        of comparator: Comparator, on type: FieldType, _ key: QueryKey
    ) throws(RecordError) -> [IndexSet] {
        let isSystem = if case .system = key { true } else { false }
        switch (comparator, type) {
        case (.equals, .scalar(let type)), (.isIn, .scalar(let type)):
            if type.hasEquality { return [.queryable] }
        case (.lessThan, .scalar(let type)), (.lessThanOrEquals, .scalar(let type)),
            (.greaterThan, .scalar(let type)), (.greaterThanOrEquals, .scalar(let type)):
            if type.hasOrder { return [.sortable] }
        case (.beginsWith, .scalar(.string)): return [.sortable, .queryable]
        case (.near, .scalar(.location)): return [.queryable]
        case (.listContains, .list), (.listContainsAny, .list), (.listContainsAll, .list):
            if !isSystem, type.element.hasEquality { return [.queryable] }
        case (.listMemberBeginsWith, .list(.string)): return [.queryable]
        default: break
        }
        throw RecordError(
            .badRequest,
            "Field '\(key.displayName)' of type \(type.name) cannot be queried using filter type "
                + comparator.rawValue,
            culprit: key.displayName, nextStep: Self.advice(comparator, type)
        )
    }

    private static func advice(_ comparator: Comparator, _ type: FieldType) -> String {
        if type.isList { return "use LIST_CONTAINS, LIST_CONTAINS_ANY or LIST_CONTAINS_ALL for lists" }
        if type == .scalar(.location) { return "use NEAR with a distance in metres" }
        if comparator == .listContains { return "use EQUALS or IN for a field that is not a list" }
        return "use EQUALS, NOT_EQUALS, IN or NOT_IN"
    }

    // MARK: Values

    private func expectedType(_ comparator: Comparator, _ type: FieldType) -> FieldType {
        switch comparator.negated ?? comparator {
        case .isIn, .listContainsAny, .listContainsAll: .list(type.element)
        case .listContains, .listMemberBeginsWith: .scalar(type.element)
        default: type
        }
    }

    private func coerced(
        _ filter: Filter, key: QueryKey, to expected: FieldType
    ) throws(RecordError) -> FieldValue {
        if case .list(let element, let values) = filter.value, case .list(let wanted) = expected {
            var coerced: [FieldValue] = []
            for value in values {
                guard let value = Self.coerced(value, to: wanted, system: key) else {
                    throw mismatch(key, expected, .list(element))
                }
                coerced.append(value)
            }
            return .list(wanted, coerced)
        }
        guard case .scalar(let wanted) = expected,
            let value = Self.coerced(filter.value, to: wanted, system: key)
        else { throw mismatch(key, expected, filter.value.type) }
        return value
    }

    /// Converts an integer to a double, and a name to a reference for a system field. Any other value must
    /// already have the wanted type; otherwise the result is nil.
    private static func coerced(
        _ value: FieldValue, to wanted: ScalarType, system key: QueryKey
    ) -> FieldValue? {
        switch (value, wanted) {
        case (.int64(let integer), .double): .double(Double(integer))
        case (.string(let name), .reference):
            if case .system = key { .reference(Reference(recordName: name)) } else { nil }
        default: value.type == .scalar(wanted) ? value : nil
        }
    }

    /// The value in the form that stores keep: without the zone in references to records of the queried zone
    /// and to people.
    private func localized(_ value: FieldValue, key: QueryKey) -> FieldValue {
        let isPerson = key == .system(.createdUserRecordName) || key == .system(.modifiedUserRecordName)
        return value.mapReferences { reference in
            var local = reference
            if isPerson || reference.zone?.name == zone { local.zone = nil }
            return local
        }
    }

    private func mismatch(_ key: QueryKey, _ expected: FieldType, _ given: FieldType) -> RecordError {
        RecordError(
            .badRequest,
            "Field '\(key.displayName)' has a value type of \(expected.name) and cannot be queried using "
                + "filter "
                + "value type \(given.name)",
            culprit: key.displayName, nextStep: "give a value of type \(expected.name)"
        )
    }

    private func checkDetails(of filter: Filter, key: QueryKey) throws(RecordError) {
        if filter.comparator == .near {
            guard let distance = filter.distance, distance.isFinite, distance >= 0 else {
                throw RecordError(
                    .badRequest, "NEAR needs a distance in metres", culprit: key.displayName,
                    nextStep: "add a finite distance of 0 or more to the filter"
                )
            }
        }
    }

    // MARK: Tokens

    private func checkedTokens(_ filter: Filter) throws(RecordError) -> Filter {
        if let key = filter.key {
            let (fieldType, indexes, isEncrypted) = try description(of: key)
            guard fieldType == .scalar(.string), indexes.contains(.searchable), !isEncrypted else {
                throw notMarked(key, "searchable")
            }
        }
        guard case .string(let text) = filter.value else {
            throw mismatch(filter.key ?? .field("*"), .scalar(.string), filter.value.type)
        }
        if searchTokens(text).isEmpty {
            throw RecordError(
                .badRequest, "the search text has no words", culprit: filter.key?.displayName ?? "filterBy",
                nextStep: "search for at least one letter or digit, or leave the filter out"
            )
        }
        return filter
    }
}
