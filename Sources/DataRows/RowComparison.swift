/// Compares two databases row by row.
package struct RowComparison: Sendable {
    /// One of the two databases.
    package enum Side: Hashable, Sendable {
        case source
        case target
    }

    /// The number of rows on each side.
    package private(set) var rows: [Side: Int] = [.source: 0, .target: 0]
    /// The first differences, in the order of the tables and keys.
    package private(set) var differences: [RowDifference] = []

    package var areEqual: Bool { differences.isEmpty }

    /// The maximum number of differences that are listed.
    private static let maximumDifferences = 10

    /// - Parameter digest: called with the form of each row, on both sides in the same order, so that digests
    ///   can be made of them.
    package init(
        _ source: any RowDatabase, with target: any RowDatabase, digest: (Side, [UInt8]) -> Void
    ) throws {
        var zones: [Int64: String] = [:]
        for table in source.tables {
            var (left, right) = (RowWalk(source, table), RowWalk(target, table))
            var (mine, theirs) = (try left.next(), try right.next())
            while mine != nil || theirs != nil {
                let order = Self.order(mine, theirs, table)
                if order <= 0, let mine {
                    count(mine, of: table, .source, digest)
                    if table.name == RowTable.zone.name, let id = table.value("id", of: mine)?.integer {
                        zones[id] = table.value("name", of: mine)?.text
                    }
                }
                if order >= 0, let theirs { count(theirs, of: table, .target, digest) }
                if order != 0 || mine != theirs {
                    note(
                        RowDifference(table, mine: order <= 0 ? mine : nil, order >= 0 ? theirs : nil, zones))
                }
                if order <= 0 { mine = try left.next() }
                if order >= 0 { theirs = try right.next() }
            }
        }
    }

    /// Below 0 if only the source has the row with the lower key, above 0 if only the target has it.
    private static func order(_ mine: [RowValue]?, _ theirs: [RowValue]?, _ table: RowTable) -> Int {
        guard let mine else { return 1 }
        guard let theirs else { return -1 }
        let (left, right) = (table.key(of: mine), table.key(of: theirs))
        if left == right { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    private mutating func count(
        _ row: [RowValue], of table: RowTable, _ side: Side, _ digest: (Side, [UInt8]) -> Void
    ) {
        rows[side, default: 0] += 1
        var form: [UInt8] = []
        RowValue.text(table.name).append(to: &form)
        for value in row { value.append(to: &form) }
        digest(side, form)
    }

    private mutating func note(_ difference: RowDifference) {
        if differences.count < Self.maximumDifferences { differences.append(difference) }
    }
}

/// Reads the rows of a table one by one.
private struct RowWalk {
    private let database: any RowDatabase
    private let table: RowTable
    private var page: ArraySlice<[RowValue]> = []
    private var key: [RowValue]?
    private var isAtEnd = false

    init(_ database: any RowDatabase, _ table: RowTable) {
        self.database = database
        self.table = table
    }

    mutating func next() throws -> [RowValue]? {
        if page.isEmpty, !isAtEnd {
            page = try database.rows(of: table, after: key)[...]
            isAtEnd = page.isEmpty
            key = page.last.map(table.key(of:))
        }
        return page.popFirst()
    }
}

/// A row that two databases do not have in common.
package struct RowDifference: Hashable, Sendable, CustomStringConvertible {
    /// The row, such as `record "n1" in the zone "Parties"`.
    package let row: String
    /// What differs.
    package let text: String

    init(_ table: RowTable, mine: [RowValue]?, _ theirs: [RowValue]?, _ zones: [Int64: String]) {
        row = Self.name(of: mine ?? theirs ?? [], table, zones)
        guard let mine else {
            text = "is not in the source"
            return
        }
        guard let theirs else {
            text = "is missing in the target"
            return
        }
        let columns = table.columns.indices.filter { mine[$0] != theirs[$0] }.map { table.columns[$0].name }
        text = "differs in " + columns.joined(separator: ", ")
    }

    package var description: String { "\(row) \(text)" }

    private static func name(of row: [RowValue], _ table: RowTable, _ zones: [Int64: String]) -> String {
        let key = table.key(of: row).map(\.words).joined(separator: ", ")
        let name = table.value("name", of: row)?.text.map { "\"\($0)\"" } ?? key
        let zone = table.value("zone", of: row).map { value in
            value.integer.flatMap { zones[$0] } ?? value.words
        }
        return "\(table.name) \(name)" + (zone.map { " in the zone \"\($0)\"" } ?? "")
    }
}
