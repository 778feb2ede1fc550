import Records

/// The values of a share: what it covers, and its participants.
struct ShareView: Sendable {
    struct Row: Sendable {
        var participant: String
        var participantRole: String
        var permission: String
        var acceptance: String
    }

    var shareName: String
    var covers: String
    var publicPermission: String
    var participants: [Row]
    /// The number of participants for whom the page has no room; nil if it shows all.
    var hidden: Int?

    /// - Parameter most: the maximum number of participants that the page shows.
    init(_ name: String, _ terms: Share, participants most: Int, _ budget: inout PageTextBudget) {
        shareName = budget.shortened(name, bytes: 100)
        covers = budget.shortened(
            terms.root.map { "the record \($0) and all below it" } ?? "the whole zone", bytes: 300)
        publicPermission = terms.publicPermission.words
        participants = terms.participants.prefix(most).map { one in
            let names = [one.name.given, one.name.family].compactMap(\.self).joined(separator: " ")
            let known = names.isEmpty ? one.address?.value ?? one.person ?? "whoever has the link" : names
            return Row(
                participant: budget.shortened(known, bytes: 100), participantRole: one.role.words,
                permission: terms.grantedPermission(of: one).words,
                acceptance: one.acceptance == .accepted ? "takes part" : "is invited")
        }
        hidden = terms.participants.count > most ? terms.participants.count - most : nil
    }
}

extension Participant.Permission {
    /// The permission in words.
    fileprivate var words: String {
        switch self {
        case .none: "nothing"
        case .readOnly: "read"
        case .readWrite: "read and write"
        }
    }
}

extension Participant.Role {
    /// The role in words.
    fileprivate var words: String {
        switch self {
        case .owner: "owner"
        case .administrator: "administrator"
        case .privateUser: "invited"
        case .publicUser: "joined by the link"
        }
    }
}
