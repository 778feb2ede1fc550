import Cloudlet
import Foundation

/// A note with its share, as the signed-in person sees them.
struct SharedNote: Sendable {
    let note: Note
    /// The version of the note's record at the server.
    let record: CKRecord
    /// The records with the edits of the note, one for each device or participant: see `NoteText`.
    var edits: [CKRecord] = []
    /// One error for each edit that could not be read.
    var unreadable: [RepositoryError] = []
    let share: CKShare
    /// The user record name of the signed-in person.
    let me: String

    /// Whether the note belongs to the signed-in person.
    var isOwn: Bool { share.owner.isCurrentUser }

    /// The participants except the owner.
    var guests: [CKShare.Participant] { share.participants.filter { $0.role != .owner } }

    /// The person who wrote the note.
    var writer: String? { name(of: record.creatorUserRecordID) }

    /// The person who changed the note last.
    var lastEditor: String? { name(of: record.lastModifiedUserRecordID) }

    /// The name of a person if the share contains it; otherwise the user record name.
    private func name(of user: CKRecord.ID?) -> String? {
        guard let user = user?.recordName else { return nil }
        if user == me || user == CKCurrentUserDefaultName { return CKShareParticipant.currentUserName }
        let known = share.participants.first { $0.userIdentity.userRecordID?.recordName == user }
        return known?.displayName ?? user
    }
}

extension NoteText.People {
    /// The people who write a shared note, for a person who takes part in its share.
    init(of share: CKShare, _ edits: [CKRecord], me: String) {
        func name(_ person: CKRecord.ID?) -> String {
            let name = person?.recordName ?? CKCurrentUserDefaultName
            return name == CKCurrentUserDefaultName ? me : name
        }
        self.init(me: me, owner: name(share.owner.userIdentity.userRecordID))
        for edit in edits where edit.recordChangeTag != nil {
            authors[edit.recordID.recordName] = (
                name(edit.creatorUserRecordID), name(edit.lastModifiedUserRecordID)
            )
        }
    }
}

extension CKShareParticipant {
    /// The name of the signed-in person.
    static let currentUserName = "you"

    /// Whether the participant is the signed-in person.
    var isCurrentUser: Bool { userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName }

    /// The address that the person was invited by.
    var address: String? {
        userIdentity.lookupInfo?.emailAddress ?? userIdentity.lookupInfo?.phoneNumber
    }

    /// The person's name. People whose names are unknown have the address that they were invited by, or
    /// their user record name.
    var displayName: String {
        if isCurrentUser { return Self.currentUserName }
        return userIdentity.fullName ?? address ?? userIdentity.userRecordID?.recordName ?? participantID
    }
}

extension CKUserIdentity {
    /// Given and family name; nil if both are unknown.
    fileprivate var fullName: String? {
        let name = [nameComponents?.givenName, nameComponents?.familyName].compactMap(\.self)
            .joined(separator: " ")
        return name.isEmpty ? nil : name
    }

    /// The name, or the user record name of a person without one.
    var displayName: String { fullName ?? id }

    /// The user record name.
    var id: String { userRecordID?.recordName ?? "" }
}
