import Records

extension SpaceFigure {
    /// The figure as a number of bytes, such as `about 30.1 MB`.
    var bytesText: String { words(UsageScreen.bytes(value)) }

    /// The figure as a number of records, such as `about 1000000`.
    var numberText: String { words("\(value)") }

    private func words(_ number: String) -> String { isEstimate ? "about \(number)" : number }

    /// What a page shows for a figure that the store cannot tell.
    static let unknown = "not known"
}
