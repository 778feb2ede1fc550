import Records

/// A query in the form of the query builder's inputs.
struct QueryInput: Sendable {
    /// The number of conditions of the builder.
    static let conditions = 4

    /// The inputs of one row of the builder.
    struct Condition: Hashable, Sendable {
        var number: Int
        var field = ""
        var comparator = Comparator.equals
        var value = ""
        /// The radius in kilometres, for `near`.
        var kilometres = ""

        var isEmpty: Bool { field.isEmpty && value.isEmpty }
    }

    var type: String
    var conditions: [Condition]
    var sort: String
    var isDescending: Bool

    init(_ fields: FormFields) {
        type = fields.text("type") ?? ""
        conditions = (1...Self.conditions).map { number in
            Condition(
                number: number, field: fields.text("f\(number)") ?? "",
                comparator: fields["c\(number)"].flatMap(Comparator.init) ?? .equals,
                value: fields["v\(number)"] ?? "", kilometres: fields.text("km\(number)") ?? "")
        }
        sort = fields.text("sort") ?? ""
        isDescending = fields["order"] == "descending"
    }

    /// The fields for the address of the same query.
    var address: [(String, String)] {
        var fields = [("type", type)]
        for condition in conditions where !condition.isEmpty {
            let number = condition.number
            fields += [
                ("f\(number)", condition.field), ("c\(number)", condition.comparator.rawValue),
                ("v\(number)", condition.value),
            ]
            if !condition.kilometres.isEmpty { fields.append(("km\(number)", condition.kilometres)) }
        }
        if !sort.isEmpty { fields.append(("sort", sort)) }
        if isDescending { fields.append(("order", "descending")) }
        return fields
    }

    /// The query. Throws `badRequest` for a value that the field cannot have, and `notFound` for a field or
    /// type that does not exist.
    func query(in schema: Schema) throws(RecordError) -> Query {
        guard let known = schema.types[type] else {
            throw RecordError(
                .notFound, "there is no such record type", culprit: type, nextStep: "choose a record type")
        }
        var query = Query(recordType: type)
        for condition in conditions where !condition.isEmpty {
            query.filters.append(try filter(condition, known))
        }
        if !sort.isEmpty { query.sorts = [Sort(try key(sort, known).key, ascending: !isDescending)] }
        return query
    }

    private func key(
        _ name: String, _ type: TypeSchema
    ) throws(RecordError) -> (key: QueryKey, type: FieldType) {
        if let field = type.fields[name] { return (.field(name), field.type) }
        if let system = SystemField(spelling: name) { return (.system(system), .scalar(system.type)) }
        throw RecordError(
            .notFound, "the record type \(type.name) has no such field", culprit: name,
            nextStep: "choose one of its fields")
    }

    private func filter(_ condition: Condition, _ type: TypeSchema) throws(RecordError) -> Filter {
        let comparator = condition.comparator
        if condition.field.isEmpty, comparator.isSearch {
            return Filter(nil, comparator, .string(condition.value))
        }
        let (key, fieldType) = try key(condition.field, type)
        let (field, element) = (condition.field, fieldType.element)
        switch comparator {
        case .near:
            guard let metres = Double(condition.kilometres).map({ $0 * 1000 }), metres.isFinite else {
                throw RecordError(
                    .badRequest, "the distance is not a number of kilometres", culprit: field,
                    nextStep: "fill it in, such as 5")
            }
            let place = try ValueText.value(condition.value, .scalar(.location), field: field)
            return Filter(key, comparator, place, distance: metres)
        case .containsAllTokens, .containsAnyTokens, .beginsWith, .notBeginsWith, .listMemberBeginsWith,
            .notListMemberBeginsWith:
            return Filter(key, comparator, .string(condition.value))
        case .isIn, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll, .notListContainsAll:
            let parts = condition.value.utf8.split(
                separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            let texts = parts.map { FormFields.trimmed(Substring($0)) }
            return Filter(key, comparator, try ValueText.list(texts, element, field: field))
        case .listContains, .notListContains:
            return Filter(
                key, comparator, try ValueText.value(condition.value, .scalar(element), field: field))
        case .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals:
            return Filter(key, comparator, try ValueText.value(condition.value, fieldType, field: field))
        }
    }
}
