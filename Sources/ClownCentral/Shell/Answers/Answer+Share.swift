import Cloudlet
import CommandShell
import Foundation

extension Answer {
    private static func fields(of shared: SharedNote) -> [AnswerField] {
        let own = shared.share.currentUserParticipant
        return [
            AnswerField("id", .text(shared.note.id)), AnswerField("text", .text(shared.note.text)),
            AnswerField("party", Value(shared.note.partyName ?? shared.note.partyID)),
            AnswerField("owner", .text(shared.share.owner.displayName)),
            AnswerField("participants", .count(shared.share.participants.count)),
            AnswerField("permission", .text((own?.permission ?? .unknown).words)),
            AnswerField("writtenBy", Value(shared.writer)), AnswerField("editedBy", Value(shared.lastEditor)),
        ]
    }

    static func sharedNote(_ shared: SharedNote, _ what: String) -> Answer {
        Answer(form: .record, entries: [Entry(fields(of: shared))], notes: [what])
    }

    static func sharedNotes(_ notes: [SharedNote]) -> Answer {
        Answer(
            form: .list, entries: notes.map { Entry(fields(of: $0)) },
            columns: [
                Column("TEXT", "text", isFlexible: true), Column("OWNER", "owner", isFlexible: true),
                Column("PEOPLE", "participants"), Column("PERMISSION", "permission"),
                Column("WRITTEN BY", "writtenBy", isFlexible: true),
                Column("EDITED BY", "editedBy", isFlexible: true), Column("ID", "id"),
            ],
            whenEmpty: "no note is shared, by you or with you; share one: share add NOTE --with ADDRESS")
    }

    /// The participants of a share, the owner first.
    static func participants(of shared: SharedNote, _ what: [String]) -> Answer {
        let entries = shared.share.participants.map { participant in
            Entry([
                AnswerField("name", .text(participant.displayName)),
                AnswerField("address", Value(participant.address)),
                AnswerField("role", .text(participant.role.words)),
                AnswerField("permission", .text(participant.permission.words)),
                AnswerField("status", .text(participant.acceptanceStatus.words)),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("NAME", "name"), Column("ADDRESS", "address"), Column("ROLE", "role"),
                Column("PERMISSION", "permission"), Column("STATUS", "status"),
            ],
            notes: what)
    }

    /// The people who ask for access to a note, and those who are blocked.
    static func requests(of shared: SharedNote, _ what: [String]) -> Answer {
        func entry(_ identity: CKUserIdentity, _ status: String) -> Entry {
            Entry([
                AnswerField("name", .text(identity.displayName)), AnswerField("status", .text(status)),
                AnswerField("id", .text(identity.id)),
            ])
        }
        let entries =
            shared.share.requesters.map { entry($0.userIdentity, "asks") }
            + shared.share.blockedIdentities.map { entry($0.userIdentity, "blocked") }
        let note = Quoting.name(shared.note.text) ?? "NOTE"
        return Answer(
            form: .list, entries: entries,
            columns: [Column("NAME", "name"), Column("STATUS", "status"), Column("ID", "id")],
            notes: what,
            whenEmpty: shared.share.allowsAccessRequests
                ? "nobody asks for access; people who have the URL may: share link \(note)"
                : "nobody may ask for access; to allow it: share link \(note) --requests")
    }

    /// The URL of a share, and the permission of everybody who has it.
    static func link(of shared: SharedNote) -> Answer {
        let permission = shared.share.publicPermission
        let words = permission == .none ? "invited people only" : "everybody, \(permission.words)"
        let fields = [
            AnswerField("url", Value(shared.share.url?.absoluteString)), AnswerField("opens", .text(words)),
            AnswerField("requests", .text(shared.share.allowsAccessRequests ? "allowed" : "refused")),
        ]
        return Answer(
            form: .record, entries: [Entry(fields)],
            notes: ["send the URL to the people, for example by e-mail; they type: share accept URL"])
    }
}

extension CKShare.ParticipantPermission {
    /// The permission as people read it.
    var words: String {
        switch self {
        case .unknown: "unknown"
        case .none: "none"
        case .readOnly: "read only"
        case .readWrite: "read and write"
        }
    }
}

extension CKShare.ParticipantRole {
    fileprivate var words: String {
        switch self {
        case .unknown: "unknown"
        case .owner: "owner"
        case .administrator: "administrator"
        case .privateUser: "participant"
        case .publicUser: "joined by the URL"
        }
    }
}

extension CKShare.ParticipantAcceptanceStatus {
    fileprivate var words: String {
        switch self {
        case .unknown: "unknown"
        case .pending: "invited"
        case .accepted: "accepted"
        case .removed: "removed"
        }
    }
}
