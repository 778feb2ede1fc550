/// Thrown by a row that cannot be measured here and now; it appears in the report.
struct RowSkipped: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
