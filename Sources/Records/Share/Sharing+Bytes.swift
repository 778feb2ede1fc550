/// The layout in a record's head. The first byte is the kind: 1 for a root, 3 for a share, 2 for a share
/// without names of people (an older layout), and 4 for a share with requests for access. Texts follow, each
/// preceded by its length in bytes as 4 bytes, little endian. A missing text has the length 0xFFFFFFFF. A
/// boolean is the text `1` if true, and missing if false.
///
/// - A root has one text: the record name of its share.
/// - A share has its root, short GUID and public permission, and for each participant id, person, address
///   with its prefix (`ContactAddress.text`), role, permission, acceptance, given name and family name.
/// - Kind 4 adds, after the public permission, whether requests are allowed, and the numbers of participants
///   and of requesters; after each participant, whether it is an approved requester; and at the end person,
///   given name and family name of each requester, and then of each blocked person.
extension Sharing {
    /// The encoded value. `init(bytes:)` decodes it.
    package var bytes: [UInt8] {
        switch self {
        case .root(let share):
            return [1] + Self.encoded([share])
        case .share(let terms) where terms.hasRequests:
            return [4] + Self.encoded(terms.textsWithRequests)
        case .share(let terms):
            var texts: [String?] = [terms.root, terms.shortGUID, terms.publicPermission.rawValue]
            for participant in terms.participants { texts += participant.texts }
            return [3] + Self.encoded(texts)
        }
    }

    /// Decodes a value; nil for unreadable bytes.
    package init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard let kind = bytes.first, let texts = Self.decoded(bytes) else { return nil }
        switch kind {
        case 1:
            guard texts.count == 1, let share = texts[0] else { return nil }
            self = .root(of: share)
        case 2, 3:
            guard let terms = Share(texts, perPerson: kind == 2 ? 6 : 8) else { return nil }
            self = .share(terms)
        case 4:
            guard let terms = Share(withRequests: texts) else { return nil }
            self = .share(terms)
        default: return nil
        }
    }

    private static let missing = UInt32.max

    private static func encoded(_ texts: [String?]) -> [UInt8] {
        var bytes: [UInt8] = []
        for text in texts {
            let length = text.map { UInt32(truncatingIfNeeded: $0.utf8.count) } ?? missing
            withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
            if let text { bytes.append(contentsOf: text.utf8) }
        }
        return bytes
    }

    /// The texts after the first byte; nil if one is cut short.
    private static func decoded(_ bytes: [UInt8]) -> [String?]? {
        var texts: [String?] = []
        var offset = 1
        while offset < bytes.count {
            guard offset + 4 <= bytes.count else { return nil }
            let length = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
            offset += 4
            if length == missing {
                texts.append(nil)
                continue
            }
            guard Int(length) <= bytes.count - offset else { return nil }
            texts.append(String(decoding: bytes[offset..<offset + Int(length)], as: UTF8.self))
            offset += Int(length)
        }
        return texts
    }
}

extension Share {
    /// Reads the texts of `Sharing.bytes`; nil if one is missing or unknown.
    fileprivate init?(_ texts: [String?], perPerson: Int) {
        guard texts.count >= 3, (texts.count - 3) % perPerson == 0, let shortGUID = texts[1],
            let permission = texts[2].flatMap(Participant.Permission.init(rawValue:))
        else { return nil }
        var participants: [Participant] = []
        for start in stride(from: 3, to: texts.count, by: perPerson) {
            guard let participant = Participant(Array(texts[start..<start + perPerson])) else { return nil }
            participants.append(participant)
        }
        self.init(
            root: texts[0], shortGUID: shortGUID, publicPermission: permission, participants: participants)
    }
}

extension Share {
    private static let yes = "1"

    fileprivate var hasRequests: Bool {
        allowsRequests || !requesters.isEmpty || !blocked.isEmpty
            || participants.contains(where: \.isApprovedRequester)
    }

    fileprivate var textsWithRequests: [String?] {
        var texts: [String?] = [
            root, shortGUID, publicPermission.rawValue, allowsRequests ? Self.yes : nil,
            String(participants.count), String(requesters.count),
        ]
        for participant in participants {
            texts += participant.texts + [participant.isApprovedRequester ? Self.yes : nil]
        }
        for requester in requesters + blocked {
            texts += [requester.person, requester.name.given, requester.name.family]
        }
        return texts
    }

    /// Reads `textsWithRequests`; nil if one is missing or unknown.
    fileprivate init?(withRequests texts: [String?]) {
        guard texts.count >= 6, let people = texts[4].flatMap({ Int($0) }),
            let waiting = texts[5].flatMap({ Int($0) }), people >= 0, waiting >= 0,
            people <= texts.count, waiting <= texts.count
        else { return nil }
        let end = 6 + people * 9
        guard end + waiting * 3 <= texts.count, (texts.count - end) % 3 == 0 else { return nil }
        let plain = stride(from: 6, to: end, by: 9).flatMap { texts[$0..<$0 + 8] }
        self.init(Array(texts[..<3]) + plain, perPerson: 8)
        allowsRequests = texts[3] == Self.yes
        for index in participants.indices {
            participants[index].isApprovedRequester = texts[6 + index * 9 + 8] == Self.yes
        }
        for start in stride(from: end, to: texts.count, by: 3) {
            guard let person = texts[start] else { return nil }
            let requester = AccessRequester(
                person: person,
                name: Participant.Name(given: texts[start + 1], family: texts[start + 2]))
            if requesters.count < waiting { requesters.append(requester) } else { blocked.append(requester) }
        }
    }
}

extension Participant {
    fileprivate var texts: [String?] {
        [
            id, person, address?.text, role.rawValue, permission.rawValue, acceptance.rawValue, name.given,
            name.family,
        ]
    }

    fileprivate init?(_ texts: [String?]) {
        guard let id = texts[0], let role = texts[3].flatMap(Role.init(rawValue:)),
            let permission = texts[4].flatMap(Permission.init(rawValue:)),
            let acceptance = texts[5].flatMap(Acceptance.init(rawValue:))
        else { return nil }
        self.init(
            id: id, person: texts[1], address: texts[2].flatMap(ContactAddress.init(text:)), role: role,
            permission: permission, acceptance: acceptance)
        if texts.count == 8 { name = Name(given: texts[6], family: texts[7]) }
    }
}
