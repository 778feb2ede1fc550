package import Records

/// The name of a container: `iCloud.` followed by a domain of its owner in reverse order.
///
/// All developers share one space of names, and only reverse-DNS names keep them apart. Other names are
/// accepted with a warning.
package struct ContainerName: Hashable, Sendable {
    package let text: String

    /// Throws `badRequest` for an invalid name. Names become folders and parts of addresses.
    package init(_ text: String) throws(RecordError) {
        self.text = text
        try Self.checkCharacters(of: text)
        for label in labels {
            if label.isEmpty {
                throw Self.refusal("a container's name has no dot at its ends and no two in a row", text)
            }
            if label.hasPrefix("-") || label.hasSuffix("-") {
                throw Self.refusal("no part of a container's name begins or ends with a dash", text)
            }
        }
    }

    /// Throws `badRequest` for a name with other characters than ASCII letters, digits, dots, dashes and
    /// underscores.
    ///
    /// With other characters, Swift may treat two different texts as one name, because it compares characters
    /// by canonical equivalence, and SQLite ends a text at a NUL.
    package static func checkCharacters(of text: String) throws(RecordError) {
        guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else {
            throw refusal("a container has 1 to 128 letters, digits, dots, dashes and underscores", text)
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func refusal(_ reason: String, _ text: String) -> RecordError {
        RecordError(
            .badRequest, reason, culprit: String(text.prefix(60)),
            nextStep: "use a name such as iCloud.org.example.app"
        )
    }

    private var labels: [Substring] { text.split(separator: ".", omittingEmptySubsequences: false) }

    /// Warnings about a name that is valid but may clash with the names of others; empty for a good name.
    package var warnings: [String] {
        var labels = labels
        var warnings: [String] = []
        if labels.first == "iCloud" {
            labels.removeFirst()
        } else {
            warnings.append("the name does not begin with iCloud., as the containers of apps do")
        }
        if labels.count < 3 {
            warnings.append(
                "the name is no reverse-DNS name, so somebody else may have the same: begin it with a domain "
                    + "of yours in reverse, such as iCloud.org.example.app"
            )
        } else if let last = labels.last, Self.commonDomains.contains(last.lowercased()),
            !Self.commonDomains.contains(labels[0].lowercased())
        {
            warnings.append("the domain does not seem to be reversed; write it in reverse, org.example.app")
        }
        return warnings
    }

    /// Top-level domains; a name that ends in one was probably not reversed.
    private static let commonDomains: Set<String> = ["com", "org", "net", "io", "dev", "de", "uk", "fr"]
}
