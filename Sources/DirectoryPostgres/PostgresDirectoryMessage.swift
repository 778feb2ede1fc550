import Directory
import Foundation
import Records

/// The text of a change in a message to other processes: the number of the sender, the kind of the change,
/// and its words. Only the last word can contain spaces.
struct PostgresDirectoryMessage {
    /// The number of the process that sends the message.
    var sender: Int64
    var change: DirectoryChange

    var text: String {
        let words: [String] =
            switch change {
            case .missed: ["missed"]
            case .people: ["people"]
            case .sessionsEnded(let hashes):
                ["sessions", hashes.map { Data($0).base64EncodedString() }.joined(separator: ",")]
            case .device(let text, let place):
                ["device", place.container, place.environment.rawValue, text]
            case .credentials: ["credentials"]
            case .containerRemoved(let name): ["container", name]
            case .schema(let container): ["schema", container]
            }
        return ([String(sender)] + words).joined(separator: " ")
    }

    init(sender: Int64, _ change: DirectoryChange) {
        self.sender = sender
        self.change = change
    }

    /// Reads a text. An unknown one, for example of a newer version, is read as `missed`, so that nothing
    /// outdated stays cached.
    init(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(
            String.init)
        sender = words.first.flatMap { Int64($0) } ?? 0
        change = words.count > 1 ? Self.change(words[1], words.count > 2 ? words[2] : "") : .missed
    }

    private static func change(_ kind: String, _ rest: String) -> DirectoryChange {
        switch kind {
        case "people": return .people
        case "sessions":
            let hashes = rest.split(separator: ",").map { Data(base64Encoded: String($0)).map(Array.init) }
            return hashes.contains(nil) ? .missed : .sessionsEnded(hashes.compactMap(\.self))
        case "device":
            let words = rest.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard words.count == 3, let environment = CloudEnvironment(rawValue: String(words[1])) else {
                return .missed
            }
            return .device(
                String(words[2]), ContainerKey(container: String(words[0]), environment: environment))
        case "credentials": return .credentials
        case "container": return .containerRemoved(rest)
        case "schema": return .schema(rest)
        default: return .missed
        }
    }
}
