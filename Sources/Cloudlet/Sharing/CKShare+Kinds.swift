import Foundation

extension CKShare {
    /// A person who takes part in a share.
    public typealias Participant = CKShareParticipant
    /// The description of a share before it is accepted.
    public typealias Metadata = CKShareMetadata
    /// A person who requests access to a share.
    public typealias AccessRequester = CKShareAccessRequester
    /// A person whose access requests are ignored.
    public typealias BlockedIdentity = CKShareBlockedIdentity

    /// A person's answer to an invitation.
    public enum ParticipantAcceptanceStatus: Int, Sendable {
        /// Unknown until the share is saved.
        case unknown = 0
        /// The person has not answered.
        case pending
        /// The person has accepted.
        case accepted
        /// The person has left or was removed.
        case removed
    }

    /// A person's access to the shared records.
    public enum ParticipantPermission: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// No access.
        case none
        /// Read only.
        case readOnly
        /// Read, change and delete.
        case readWrite
    }

    /// A person's role in a share.
    public enum ParticipantRole: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// The owner of the shared records.
        case owner = 1
        /// An invited person who may invite others.
        case administrator = 2
        /// An invited person.
        case privateUser = 3
        /// A person who joined through the share's URL.
        case publicUser = 4
    }

    /// A person's role in the deprecated type, which has no administrators.
    public enum ParticipantType: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// The owner of the shared records.
        case owner = 1
        /// An invited person.
        case privateUser = 3
        /// A person who joined through the share's URL.
        case publicUser = 4
    }

    /// The fields of a share that describe it to people.
    public enum SystemFieldKey {
        /// The title, a string.
        public static let title: CKRecord.FieldKey = "cloudkit.title"
        /// The bytes of an image.
        public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
        /// A uniform type identifier.
        public static let shareType: CKRecord.FieldKey = "cloudkit.type"
    }
}

extension CKShare.ParticipantRole {
    /// The role in the deprecated type, which has no administrators.
    var type: CKShare.ParticipantType {
        switch self {
        case .unknown: .unknown
        case .owner: .owner
        case .administrator, .privateUser: .privateUser
        case .publicUser: .publicUser
        }
    }

    /// The role that corresponds to the deprecated type.
    init(_ type: CKShare.ParticipantType) {
        switch type {
        case .unknown: self = .unknown
        case .owner: self = .owner
        case .privateUser: self = .privateUser
        case .publicUser: self = .publicUser
        }
    }
}

/// The name of this type before Swift 4.2.
@available(*, deprecated, renamed: "CKShare.ParticipantAcceptanceStatus")
public typealias CKShare_Participant_AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
/// The name of this type before Swift 4.2.
@available(*, deprecated, renamed: "CKShare.ParticipantPermission")
public typealias CKShare_Participant_Permission = CKShare.ParticipantPermission
/// The name of this type before Swift 4.2.
@available(*, deprecated, renamed: "CKShare.ParticipantRole")
public typealias CKShare_Participant_Role = CKShare.ParticipantRole
/// The name of this type before Swift 4.2.
@available(*, deprecated, renamed: "CKShare.ParticipantType")
public typealias CKShare_Participant_ParticipantType = CKShare.ParticipantType
