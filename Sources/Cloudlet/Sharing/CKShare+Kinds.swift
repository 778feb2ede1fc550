import Foundation

extension CKShare {
    /// Somebody who takes part in a share.
    public typealias Participant = CKShareParticipant
    /// What is known of a share before it is accepted.
    public typealias Metadata = CKShareMetadata
    /// Somebody who asks to take part.
    public typealias AccessRequester = CKShareAccessRequester
    /// Somebody whose requests are not heard.
    public typealias BlockedIdentity = CKShareBlockedIdentity

    /// What somebody has said to an invitation.
    public enum ParticipantAcceptanceStatus: Int, Sendable {
        /// Not known before the share is saved.
        case unknown = 0
        /// Nothing yet.
        case pending
        /// Yes.
        case accepted
        /// They left, or were removed.
        case removed
    }

    /// What somebody may do with the records of a share.
    public enum ParticipantPermission: Int, Sendable {
        /// Not known.
        case unknown = 0
        /// Nothing.
        case none
        /// Read.
        case readOnly
        /// Read, change and delete.
        case readWrite
    }

    /// How somebody came to take part.
    public enum ParticipantRole: Int, Sendable {
        /// Not known.
        case unknown = 0
        /// The records are theirs.
        case owner = 1
        /// They were invited and may invite others.
        case administrator = 2
        /// They were invited.
        case privateUser = 3
        /// They followed the share's URL.
        case publicUser = 4
    }

    /// The older form of the role.
    public enum ParticipantType: Int, Sendable {
        /// Not known.
        case unknown = 0
        /// The records are theirs.
        case owner = 1
        /// They were invited.
        case privateUser = 3
        /// They followed the share's URL.
        case publicUser = 4
    }

    /// The names of what people see of a share.
    public enum SystemFieldKey {
        /// A text.
        public static let title: CKRecord.FieldKey = "cloudkit.title"
        /// The bytes of an image.
        public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
        /// A uniform type identifier.
        public static let shareType: CKRecord.FieldKey = "cloudkit.type"
    }
}

extension CKShare.ParticipantRole {
    /// The role in its older form, which knows no administrators.
    var type: CKShare.ParticipantType {
        switch self {
        case .unknown: .unknown
        case .owner: .owner
        case .administrator, .privateUser: .privateUser
        case .publicUser: .publicUser
        }
    }

    /// The role that the older form means.
    init(_ type: CKShare.ParticipantType) {
        switch type {
        case .unknown: self = .unknown
        case .owner: self = .owner
        case .privateUser: self = .privateUser
        case .publicUser: self = .publicUser
        }
    }
}

/// The name this type had in the transition to Swift 4.2.
@available(*, deprecated, renamed: "CKShare.ParticipantAcceptanceStatus")
public typealias CKShare_Participant_AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
/// The name this type had in the transition to Swift 4.2.
@available(*, deprecated, renamed: "CKShare.ParticipantPermission")
public typealias CKShare_Participant_Permission = CKShare.ParticipantPermission
/// The name this type had in the transition to Swift 4.2.
@available(*, deprecated, renamed: "CKShare.ParticipantRole")
public typealias CKShare_Participant_Role = CKShare.ParticipantRole
/// The name this type had in the transition to Swift 4.2.
@available(*, deprecated, renamed: "CKShare.ParticipantType")
public typealias CKShare_Participant_ParticipantType = CKShare.ParticipantType
