import Records

/// The values of the page with the query builder.
struct RecordsView: Sendable {
    struct Row: Sendable {
        var href: String
        var name: String
        var cells: [Cell]
        var changed: String
    }

    /// A value in the table.
    struct Cell: Sendable {
        var cellText: String
        /// The address of the record to which a reference points.
        var targetHref: String?
    }

    struct ConditionRow: Sendable {
        var number: Int
        var conditionField: String
        var comparators: [Option]
        var conditionValue: String
        var kilometres: String
    }

    struct Option: Sendable {
        var value: String
        var label: String
        var isSelected: Bool
    }

    var action: String
    var newHref: String
    var type: String
    var typeNames: [String]
    var fieldNames: [String]
    var conditions: [ConditionRow]
    var sort: String
    var orders: [Option]
    var mayChange = false
    var queryProblem: String?
    var hasAsked = false
    var columns: [String] = []
    var rows: [Row] = []
    var map: DistanceMap?
    var nextHref: String?
    var firstHref: String?

    /// The maximum number of names that the builder suggests, and of the bytes of each. Others can be typed.
    private static let suggestions = 100
    private static let suggestedBytes = 64

    init(_ input: QueryInput, _ schema: Schema, _ place: ConsolePlace) {
        action = place.path("records")
        newHref = place.path("new", input.type.isEmpty ? [] : [("type", input.type)])
        type = input.type
        let known = schema.types[input.type]?.fields.keys.sorted { $0.precedesInBytes($1) } ?? []
        typeNames = Self.suggested(schema.types.keys.sorted { $0.precedesInBytes($1) })
        fieldNames = Self.suggested(known + SystemField.inSchemas.map(\.wireName))
        conditions = input.conditions.map { condition in
            ConditionRow(
                number: condition.number, conditionField: condition.field,
                comparators: Comparator.allCases.map { comparator in
                    Option(
                        value: comparator.rawValue, label: comparator.words,
                        isSelected: comparator == condition.comparator)
                },
                conditionValue: condition.value, kilometres: condition.kilometres)
        }
        sort = input.sort
        orders = [
            Option(value: "ascending", label: "ascending", isSelected: !input.isDescending),
            Option(value: "descending", label: "descending", isSelected: input.isDescending),
        ]
    }

    /// The names of a list that a page suggests.
    static func suggested(_ names: [String]) -> [String] {
        Array(names.filter { $0.utf8.count <= suggestedBytes }.prefix(suggestions))
    }

    /// The maximum number of columns for fields, in addition to name and time.
    private static let columnCount = 6
    /// The maximum number of bytes of the text in a cell.
    private static let cellBytes = 60

    /// Shows records in a table, with the first fields of their type.
    mutating func show(_ records: [Record], of type: TypeSchema?, _ place: ConsolePlace) {
        hasAsked = true
        var budget = PageTextBudget(bytes: 45_000)
        let fields = type?.fields.filter { $0.key.utf8.count <= Self.suggestedBytes }.keys ?? [:].keys
        columns = Array(fields.sorted { $0.precedesInBytes($1) }.prefix(Self.columnCount))
        rows = records.map { record in
            Row(
                href: place.path("record", [("name", record.id.name)]),
                name: budget.shortened(record.id.name, bytes: Self.cellBytes),
                cells: columns.map { column in
                    guard let field = record.fields[column] else { return Cell(cellText: "") }
                    if field.isEncrypted { return Cell(cellText: "encrypted") }
                    var cell = Cell(
                        cellText: budget.shortened(
                            ValueText.beginning(of: field.value, bytes: Self.cellBytes),
                            bytes: Self.cellBytes))
                    if case .reference(let reference) = field.value {
                        cell.targetHref = budget.whole(
                            place.path("record", [("name", reference.recordName)]), bytes: 400)
                    }
                    return cell
                },
                changed: record.modified.map { ValueText.text(of: $0.at) } ?? "")
        }
    }
}
