public import Foundation
internal import Records

/// A participant of a share: a person with a role and a permission.
///
/// Two participants are equal if they are the same person, whatever their roles and permissions.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckshare/participant>.
// Sendable because the state is behind a lock.
open class CKShareParticipant: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The ID of a participant, unique within the share.
    public typealias ID = String
    /// The person's answer to the invitation.
    public typealias AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
    /// A participant's access to the shared records.
    public typealias Permission = CKShare.ParticipantPermission
    /// A participant's role.
    public typealias Role = CKShare.ParticipantRole
    /// The participant's role in the deprecated type.
    public typealias ParticipantType = CKShare.ParticipantType

    let state: Locked<ArchivedParticipant>
    private let share = Locked<CKRecordID?>(nil)

    package init(_ plain: ArchivedParticipant) {
        state = Locked(plain)
    }

    /// Creates a participant for a person whose user record is known, also if the person cannot be
    /// discovered.
    package convenience init(userRecordID: CKRecordID, permission: CKShare.ParticipantPermission) {
        var plain = ArchivedParticipant(
            id: ArchivedParticipant.newID, identity: ArchivedIdentity(user: RecordID(userRecordID)))
        plain.permission = permission.rawValue
        self.init(plain)
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedParticipant.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        state = Locked(plain)
    }

    /// Creates a participant with a one-time URL: the first person who follows it takes part. The server
    /// creates the URL when the share is saved.
    open class func oneTimeURLParticipant() -> CKShareParticipant {
        CKShareParticipant(
            ArchivedParticipant(id: ArchivedParticipant.newID, identity: ArchivedIdentity(), isOneTime: true))
    }

    /// Stores the share to which the participant belongs. Returns false if it belongs to another one.
    func join(_ id: CKRecordID) -> Bool {
        share.withLock { share in
            if share == nil { share = id }
            return share == id
        }
    }

    /// The person's identity.
    open var userIdentity: CKUserIdentity { CKUserIdentity(state.current.identity) }

    /// The role; `.privateUser` by default.
    open var role: CKShare.ParticipantRole {
        get { CKShare.ParticipantRole(rawValue: state.current.role) ?? .unknown }
        set { state.withLock { $0.role = newValue.rawValue } }
    }

    /// The participant's role in the deprecated type.
    open var type: CKShare.ParticipantType {
        get { role.type }
        set { role = CKShare.ParticipantRole(newValue) }
    }

    /// The person's answer to the invitation.
    open var acceptanceStatus: CKShare.ParticipantAcceptanceStatus {
        CKShare.ParticipantAcceptanceStatus(rawValue: state.current.acceptance) ?? .unknown
    }

    /// The participant's access to the shared records; `.readOnly` by default.
    open var permission: CKShare.ParticipantPermission {
        get { CKShare.ParticipantPermission(rawValue: state.current.permission) ?? .unknown }
        set { state.withLock { $0.permission = newValue.rawValue } }
    }

    /// The participant's ID, unique within the share.
    public var participantID: CKShare.Participant.ID { state.current.id }

    /// Whether the participant requested access and was approved.
    open var isApprovedRequester: Bool { state.current.isApprovedRequester }

    /// When the participant was added to the share. nil for a participant from the server, which does not
    /// store it.
    open var dateAddedToShare: Date? { state.current.added }

    /// Equal if the participant IDs, the user records or the lookup infos are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = (object as? CKShareParticipant)?.state.current else { return false }
        return state.current.isSamePerson(as: other)
    }

    /// The same value for all participants, because equality can rest on any one of three properties.
    open override var hash: Int { 1 }

    /// The identity, role, permission and answer, for logs.
    open override var description: String {
        "<CKShareParticipant: \(userIdentity), \(role), \(permission), \(acceptanceStatus)>"
    }

    /// Returns an independent participant with the same properties.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKShareParticipant(state.current)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the participant under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(state.current, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKShareParticipant"
}

/// The archived form of a participant.
package struct ArchivedParticipant: Codable, Hashable, Sendable {
    var id: String
    var identity: ArchivedIdentity
    var role = CKShare.ParticipantRole.privateUser.rawValue
    var permission = CKShare.ParticipantPermission.readOnly.rawValue
    var acceptance = CKShare.ParticipantAcceptanceStatus.pending.rawValue
    var isApprovedRequester = false
    var isOneTime = false
    var added: Date?

    /// The person who is signed in on this device, as the owner of the shared records.
    static var owner: ArchivedParticipant {
        let user = CKRecordID(recordName: CKCurrentUserDefaultName)
        var owner = ArchivedParticipant(
            id: CKCurrentUserDefaultName, identity: ArchivedIdentity(user: RecordID(user)))
        owner.role = CKShare.ParticipantRole.owner.rawValue
        owner.permission = CKShare.ParticipantPermission.readWrite.rawValue
        owner.acceptance = CKShare.ParticipantAcceptanceStatus.accepted.rawValue
        return owner
    }

    // UUID(): CloudKit's interface gives each participant a unique ID that no caller provides.
    static var newID: String { UUID().uuidString }

    func isSamePerson(as other: ArchivedParticipant) -> Bool {
        if id == other.id { return true }
        if let user = identity.user, user == other.identity.user { return true }
        return identity.lookup != nil && identity.lookup == other.identity.lookup
    }
}
