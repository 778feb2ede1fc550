import Testing

/// Apple's talks and documentation disagree about the default quality of service, so each entry point must
/// document its own.
@Suite("Documentation of the quality of service")
struct QualityOfServiceTests {
    private static let link = "``CKOperationConfiguration/qualityOfService``"

    /// Extensions whose public methods run an operation.
    private static let convenience = [
        "Databases/CKDatabase+Queries", "Databases/CKDatabase+Records", "Databases/CKDatabase+Subscriptions",
        "Databases/CKDatabase+Zones", "Changes/CKDatabase+Changes", "Containers/CKContainer+Account",
        "People/CKContainer+Discovery", "Sharing/CKContainer+Sharing",
    ]

    /// The documentation comment of each declaration that begins with `prefix`, which includes its
    /// indentation.
    private static func comments(of prefix: String, in text: String) -> [(line: String, comment: String)] {
        var comment: [Substring] = []
        var found: [(line: String, comment: String)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(prefix) { found.append((String(line), comment.joined(separator: "\n"))) }
            let word = line.drop { $0 == " " }
            if word.hasPrefix("///") {
                comment.append(word)
            } else if !word.hasPrefix("//"), !word.hasPrefix("@") {
                comment = []
            }
        }
        return found
    }

    @Test("Every operation and every convenience method documents its quality of service")
    func entries() {
        var count = 0
        for file in House.texts where file.path.hasPrefix("Sources/Cloudlet/") {
            let isConvenience = Self.convenience.contains { file.path == "Sources/Cloudlet/\($0).swift" }
            let methods = isConvenience ? Self.comments(of: "    public func ", in: file.text) : []
            let classes = Self.comments(of: "open class CK", in: file.text).filter {
                $0.line.contains("Operation: ") || $0.line.contains("OperationGroup: ")
            }
            for (line, comment) in methods + classes {
                count += 1
                #expect(comment.contains(Self.link), "\(file.path): \(line)")
            }
        }
        #expect(count > 100)
    }
}
