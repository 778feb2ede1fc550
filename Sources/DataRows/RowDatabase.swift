/// One database as rows: everything in it from which an engine can make an equal database.
///
/// What an engine derives from the rows, such as entries of indexes, is not part of them. Two databases with
/// the same rows give the same answers: records have the same change tags, and tokens, cursors and receipts
/// of one are valid in the other.
///
/// The methods block the calling thread, and throw `RecordError`. Nothing else may use the database.
package protocol RowDatabase: Sendable {
    /// The tables, in the order in which they must be written.
    var tables: [RowTable] { get }

    /// The rows with a key above `key`, sorted by their keys: integers by their value, texts and bytes byte
    /// by byte. At most `pageRows` of the table; none if there are no more.
    func rows(of table: RowTable, after key: [RowValue]?) throws -> [[RowValue]]

    /// Writes all rows of another database into this one, which is new, in one transaction: if it fails, this
    /// database has no rows.
    ///
    /// - Parameter onRows: called with the number of further rows that were written.
    func fill(from source: any RowDatabase, onRows: @escaping @Sendable (Int) -> Void) throws

    /// Closes the database.
    func close() throws
}

/// The content of a directory.
package protocol DirectoryContent: RowDatabase {
    /// Deletes all rows.
    func empty() throws
}

extension RowDatabase {
    /// Whether no table but that of the last numbers has rows.
    package func isEmpty() throws -> Bool {
        try tables.allSatisfy { try $0 == .directoryNumber || rows(of: $0, after: nil).isEmpty }
    }

    /// Calls `body` with each page of a table.
    package func forEachPage(of table: RowTable, _ body: ([[RowValue]]) throws -> Void) throws {
        var key: [RowValue]?
        while true {
            let page = try rows(of: table, after: key)
            guard let last = page.last else { return }
            try body(page)
            key = table.key(of: last)
        }
    }
}
