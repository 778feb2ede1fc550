import Crypto
import RecordStore
import Records

/// A database that holds notifications of a person.
enum CollectionSource: Hashable, Sendable {
    /// The public database, or the person's private one.
    case own(DatabaseKind)
    /// The private database of somebody who shares with the person.
    case shared(DatabaseKey)

    /// The database that the notifications are about, for the person.
    var kind: DatabaseKind {
        switch self {
        case .own(let kind): kind
        case .shared: .shared
        }
    }
}

/// A position in a person's notification collection: the number of the last notification read in each
/// database. Clients keep it as a token.
struct CollectionPosition: Hashable, Sendable {
    private var numbers: [DatabaseKind: Int64] = [:]
    /// The numbers in the databases of others, by a hash of the owner's record name.
    private var shared: [UInt64: Int64] = [:]

    private static let kinds: [DatabaseKind] = [.public, .private]

    init() {}

    /// Merges the pages of all databases in the order of the changes, up to the limits, and moves the
    /// position behind the chosen entries. Also returns whether there are more.
    mutating func merge(
        _ pages: [(source: CollectionSource, page: NotificationsPage)], limit: Int, bytes: Int
    ) -> (chosen: [(CollectionSource, NumberedNotification)], moreComing: Bool) {
        let all = pages.flatMap { source, page in page.notifications.map { (source, $0) } }
        let ordered = all.sorted { $0.1.notification.origin.at < $1.1.notification.origin.at }
        let chosen = ordered.prefix(PageGauge.cut(ordered.map(\.1), limit: limit, bytes: bytes))
        var moreComing = ordered.count > chosen.count
        for (source, page) in pages {
            let taken = chosen.filter { $0.0 == source }
            if taken.count == page.notifications.count {
                self[source] = page.end
                moreComing = moreComing || page.moreComing
            } else if let last = taken.last {
                self[source] = last.1.number
            }
        }
        return (Array(chosen), moreComing)
    }

    subscript(source: CollectionSource) -> Int64 {
        get {
            switch source {
            case .own(let kind): numbers[kind] ?? 0
            case .shared(let key): shared[Self.hash(of: key)] ?? 0
            }
        }
        set {
            switch source {
            case .own(let kind): numbers[kind] = newValue
            case .shared(let key): shared[Self.hash(of: key)] = newValue
            }
        }
    }

    private static func hash(of key: DatabaseKey) -> UInt64 {
        SHA256.hash(data: Array((key.owner ?? "").utf8)).prefix(8).bigEndianNumber
    }

    // MARK: Token

    /// The mark, the format version, and the numbers in the public and in the private database. Version 1
    /// ends here and is sealed. Version 2 goes on with a hash and a number for each owner; it is encrypted,
    /// because a number in the database of another person reveals how many changes it has.
    func token(under seal: TokenSeal, of person: String) throws -> ChangeToken {
        let others = shared.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        var bytes: [UInt8] = [Self.mark, others.isEmpty ? 1 : 2]
        let words =
            Self.kinds.map { UInt64(bitPattern: numbers[$0] ?? 0) }
            + others.flatMap { [$0.key, UInt64(bitPattern: $0.value)] }
        for word in words { bytes.append(bigEndian: word) }
        if others.isEmpty { return ChangeToken(bytes: seal.sealed(bytes, .notifications)) }
        return ChangeToken(bytes: try seal.encrypted(bytes, for: Self.sealContext(person)))
    }

    /// Reads a token of the person. Throws `badRequest` for a token of another kind or person, and
    /// `changeTokenExpired` for one of the right form without this server's seal, such as those of earlier
    /// versions.
    init(_ token: ChangeToken, under seal: TokenSeal, of person: String) throws(RecordError) {
        guard
            let bytes = try seal.opened(token, .notifications)
                ?? seal.decrypted(token.bytes, for: Self.sealContext(person))
        else {
            // Earlier releases wrote tokens of format version 1 without a seal.
            let isPlain = token.bytes.count == Self.version1Bytes
            let inner = isPlain ? token.bytes : token.bytes.dropLast(TokenSeal.codeLength)
            if Self.hasForm(inner) { throw NotificationsPage.expired }
            throw Self.unknown
        }
        guard Self.hasForm(bytes) else { throw Self.unknown }
        let words = stride(from: 2, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].bigEndianNumber
        }
        for (kind, word) in zip(Self.kinds, words) { numbers[kind] = Int64(bitPattern: word) }
        for index in stride(from: 2, to: words.count, by: 2) {
            shared[words[index]] = Int64(bitPattern: words[index + 1])
        }
    }

    /// Distinguishes tokens of collections from other encrypted values of the person.
    private static func sealContext(_ person: String) -> [UInt8] { Array("notifications/\(person)".utf8) }

    private static func hasForm(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= version1Bytes, bytes[0] == mark else { return false }
        let rest = bytes.count - version1Bytes
        return bytes[1] == 1 ? rest == 0 : bytes[1] == 2 && rest % 16 == 0
    }

    private static let unknown = RecordError(
        .badRequest, "Unknown sync continuation type", culprit: "syncToken",
        nextStep: "send the token of the last answer unchanged, or none to start again"
    )

    private static let mark: UInt8 = 0x4e
    /// The length of version 1: mark, version, and two numbers.
    private static let version1Bytes = 18
}
