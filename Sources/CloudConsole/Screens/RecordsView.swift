import Records

/// The values of a query builder with the records that it found, in the public database or in a person's own.
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

    /// A field of the form that is not shown.
    struct Hidden: Sendable {
        var hiddenName: String
        var hiddenValue: String
    }

    var action: String
    var hidden: [Hidden] = []
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
    /// The number of records for which the page has no room; nil if it shows all.
    var hiddenRecords: Int?
    var map: DistanceMap?
    var nextHref: String?
    var firstHref: String?

    /// The maximum number of names that the builder suggests, and of the bytes of each. Others can be typed.
    private static let suggestions = 100
    private static let suggestedBytes = 64

    /// - Parameter own: the person's own database that is queried; nil for the public one.
    init(_ input: QueryInput, _ schema: Schema, _ place: ConsolePlace, own: OwnPlace? = nil) {
        action = place.path(own == nil ? "records" : "own")
        hidden = own?.address.map { Hidden(hiddenName: $0.0, hiddenValue: $0.1) } ?? []
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

    /// Shows records in a table, with the first fields of their type; records of a person's own database with
    /// their zone, too.
    mutating func show(
        _ records: [Record], of type: TypeSchema?, _ place: ConsolePlace, own: OwnPlace? = nil
    ) {
        hasAsked = true
        var budget = PageTextBudget(bytes: own == nil ? 45_000 : 25_000)
        var addresses = PageTextBudget(bytes: 20_000)
        let fields = type?.fields.filter { $0.key.utf8.count <= Self.suggestedBytes }.keys ?? [:].keys
        let shown = Array(fields.sorted { $0.precedesInBytes($1) }.prefix(Self.columnCount))
        columns = (own == nil ? [] : ["Zone"]) + shown
        rows = records.compactMap { record in
            func href(_ name: String, _ zone: ZoneID?) -> String {
                let address = own?.place(of: record, zone: zone).address ?? []
                return place.path(own == nil ? "record" : "own-record", address + [("name", name)])
            }
            guard let address = addresses.whole(href(record.id.name, nil), bytes: 3000) else { return nil }
            let zone = own.map { _ in
                Cell(cellText: budget.shortened(record.id.zone.name, bytes: Self.cellBytes))
            }
            return Row(
                href: address, name: budget.shortened(record.id.name, bytes: Self.cellBytes),
                cells: (zone.map { [$0] } ?? [])
                    + shown.map { column in
                        guard let field = record.fields[column] else { return Cell(cellText: "") }
                        if field.isEncrypted { return Cell(cellText: "encrypted") }
                        var cell = Cell(
                            cellText: budget.shortened(
                                ValueText.beginning(of: field.value, bytes: Self.cellBytes),
                                bytes: Self.cellBytes))
                        if case .reference(let reference) = field.value {
                            cell.targetHref = budget.whole(
                                href(reference.recordName, reference.zone), bytes: 400)
                        }
                        return cell
                    },
                changed: record.modified.map { ValueText.text(of: $0.at) } ?? "")
        }
        hiddenRecords = records.count > rows.count ? records.count - rows.count : nil
    }
}
