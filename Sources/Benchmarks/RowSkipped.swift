/// The reason why a row cannot be measured here. `measure` prints it in the report.
struct RowSkipped: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
