import Records

/// A message to the other nodes of a server: how much this node has taken from the buckets of payers since
/// the message before.
///
/// The text begins with the subject. Names and tokens are in hexadecimal, because a token may contain any
/// character.
struct RequestMessage {
    /// What is counted.
    enum Unit: String {
        case requests
        /// Records that requests change beyond those that they name: see `Limits.followedRecords`.
        case followedRecords = "followed"
    }

    /// What one payer has used.
    struct Entry: Hashable {
        var unit: Unit
        var count: Int
        var payer: RequestPayer
    }

    private static let beginning = "requests "

    /// The largest length of a text in bytes. `DatabaseProvider` accepts less than 7,900.
    private static let maximumBytes = 7000

    var entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    /// The texts of messages with all entries.
    var texts: [String] {
        var texts: [String] = []
        var text = ""
        for entry in entries {
            let words = ["\(entry.count)", entry.unit.rawValue] + entry.payer.words
            let next = words.joined(separator: " ")
            if !text.isEmpty, text.utf8.count + 1 + next.utf8.count > Self.maximumBytes {
                texts.append(text)
                text = ""
            }
            text += (text.isEmpty ? Self.beginning : ",") + next
        }
        return text.isEmpty ? texts : texts + [text]
    }

    /// Parses a text of `texts`; nil for one about another subject, such as that of a newer release. Leaves
    /// out entries that it does not know.
    init?(text: String) {
        guard text.hasPrefix(Self.beginning) else { return nil }
        entries = text.dropFirst(Self.beginning.count).split(separator: ",").compactMap { entry in
            let words = entry.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count > 2, let count = Int(words[0]), count > 0, let unit = Unit(rawValue: words[1]),
                let payer = RequestPayer(words: words.dropFirst(2))
            else { return nil }
            return Entry(unit: unit, count: count, payer: payer)
        }
    }
}

extension RequestPayer {
    /// The payer as words of a message. A token that is not there has no word.
    fileprivate var words: [String] {
        let parts: (first: [String], last: [String?]) =
            switch self {
            case .person(let container, let name): (["person"], [container, name])
            case .address(let network, let container, let token):
                (["address", network.word], [container, token])
            case .app(let container, let token): (["app"], [container, token])
            case .container(let name): (["container"], [name])
            }
        return parts.first + parts.last.compactMap { $0.map { $0.utf8.hexadecimal } }
    }

    fileprivate init?(words: ArraySlice<String>) {
        var words = words
        let kind = words.popFirst()
        let network = kind == "address" ? words.popFirst().flatMap { ClientNetwork(word: $0) } : nil
        let texts = words.compactMap { String(hexadecimal: $0) }
        guard texts.count == words.count, let container = texts.first else { return nil }
        switch (kind, texts.count) {
        case ("person", 2): self = .person(container: container, name: texts[1])
        case ("app", 1...2): self = .app(container: container, token: texts.count == 2 ? texts[1] : nil)
        case ("container", 1): self = .container(container)
        case ("address", 1...2):
            guard let network else { return nil }
            self = .address(network, container: container, token: texts.count == 2 ? texts[1] : nil)
        default: return nil
        }
    }
}

extension String {
    /// Decodes the hexadecimal digits of UTF-8.
    fileprivate init?(hexadecimal: String) {
        let digits = hexadecimal.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        let bytes = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
