import RecordStore

/// The text of a message to other processes that use an engine: the number of the sender, the kind, two
/// numbers, and the name of a database or any text.
struct PostgresEngineMessage {
    enum Content {
        case added(String, Int64)
        case removed(String, Int64)
        case notifications(String, after: Int64, upTo: Int64)
        case told(String)

        /// What it tells those who use the databases.
        var change: EngineChange? {
            switch self {
            case .added: nil
            case .removed(let name, _): .removed(name)
            case .notifications(let name, let number, let last):
                .notifications(name, after: number, upTo: last)
            case .told(let text): .told(text)
            }
        }
    }

    static let channel = "cloudlet_records"

    /// The number of the process that sends the message.
    var sender: Int64
    var content: Content

    init(sender: Int64, _ content: Content) {
        self.sender = sender
        self.content = content
    }

    var text: String {
        switch content {
        case .added(let name, let number): "\(sender) added \(number) 0 \(name)"
        case .removed(let name, let number): "\(sender) removed \(number) 0 \(name)"
        case .notifications(let name, let number, let last): "\(sender) notified \(number) \(last) \(name)"
        case .told(let text): "\(sender) told 0 0 \(text)"
        }
    }

    /// Reads a text; nil for one that this version does not know.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(
            String.init)
        guard words.count == 5, let sender = Int64(words[0]), let number = Int64(words[2]),
            let last = Int64(words[3])
        else { return nil }
        self.sender = sender
        switch words[1] {
        case "added": content = .added(words[4], number)
        case "removed": content = .removed(words[4], number)
        case "notified": content = .notifications(words[4], after: number, upTo: last)
        case "told": content = .told(words[4])
        default: return nil
        }
    }
}
