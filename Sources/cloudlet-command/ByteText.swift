import CommandShell

/// Formats and reads sizes in bytes.
enum ByteText {
    private static let units = ["B", "kB", "MB", "GB", "TB", "PB"]

    /// The bytes of a size such as `20GB`, `1.5 TB` or `1000`; nil for any other text.
    static func bytes(_ text: String) -> Int64? {
        guard let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?) *([A-Za-z]*)/),
            let number = Double(match.1)
        else { return nil }
        let name = ["", "bytes"].contains(match.2.lowercased()) ? units[0] : String(match.2)
        guard let power = units.firstIndex(where: { $0.lowercased() == name.lowercased() }) else {
            return nil
        }
        let bytes = (0..<power).reduce(number) { product, _ in product * 1000 }
        return Int64(exactly: bytes.rounded())
    }

    /// A size and its limit, if there is one.
    static func of(_ used: Int64, limit: Int64?) -> String {
        limit.map { "\(of(used)) of \(of($0))" } ?? of(used)
    }

    static func of(_ bytes: Int64) -> String { Value.bytesText(Int(bytes)) }
}
