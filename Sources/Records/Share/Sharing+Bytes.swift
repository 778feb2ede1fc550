/// The layout in a record's head. A byte tells the kind: 1 for a root, 3 for a share, and 2 for a share
/// without names. Texts follow, each after its length in bytes, which is 4 bytes long, little endian; a
/// missing text has the length 0xFFFFFFFF. For a root: the name of its share. For a share: root, short GUID,
/// public permission, then for each participant id, person, address with its prefix (`ContactAddress.text`),
/// role, permission, acceptance, given name and family name.
extension Sharing {
    /// The encoded value. `init(bytes:)` decodes it.
    package var bytes: [UInt8] {
        switch self {
        case .root(let share):
            return [1] + Self.encoded([share])
        case .share(let terms):
            var texts: [String?] = [terms.root, terms.shortGUID, terms.publicPermission.rawValue]
            for one in terms.participants {
                texts += [
                    one.id, one.person, one.address?.text, one.role.rawValue, one.permission.rawValue,
                    one.acceptance.rawValue, one.name.given, one.name.family,
                ]
            }
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
        var place = 1
        while place < bytes.count {
            guard place + 4 <= bytes.count else { return nil }
            let length = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
            place += 4
            if length == missing {
                texts.append(nil)
                continue
            }
            guard Int(length) <= bytes.count - place else { return nil }
            texts.append(String(decoding: bytes[place..<place + Int(length)], as: UTF8.self))
            place += Int(length)
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
            guard let one = Participant(Array(texts[start..<start + perPerson])) else { return nil }
            participants.append(one)
        }
        self.init(
            root: texts[0], shortGUID: shortGUID, publicPermission: permission, participants: participants)
    }
}

extension Participant {
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
