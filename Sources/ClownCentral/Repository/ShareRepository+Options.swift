import Cloudlet

/// Checks of the choices that the app offers when a person shares a note (`options`). On Apple platforms the
/// system's dialog shows only these choices; here the repository refuses all others.
extension ShareRepository {
    /// All choices, requests for access included.
    static var everyOption: CKAllowedSharingOptions {
        let options = CKAllowedSharingOptions.standard
        options.allowsAccessRequests = true
        return options
    }

    /// Throws `RepositoryError.notOffered` unless invited people can get the permission.
    func checkInvitation(_ permission: CKShare.ParticipantPermission) throws {
        guard options.allowedParticipantAccessOptions.contains(.specifiedRecipientsOnly) else {
            throw RepositoryError.notOffered("with invited people only")
        }
        try checkPermission(permission)
    }

    /// Throws `RepositoryError.notOffered` unless everybody who has the URL can get the permission. With
    /// `.none`, only invited people can join.
    func checkOpening(to permission: CKShare.ParticipantPermission) throws {
        if permission == .none {
            guard options.allowedParticipantAccessOptions.contains(.specifiedRecipientsOnly) else {
                throw RepositoryError.notOffered("with invited people only")
            }
            return
        }
        guard options.allowedParticipantAccessOptions.contains(.anyoneWithLink) else {
            throw RepositoryError.notOffered("with everybody who has the URL")
        }
        try checkPermission(permission)
    }

    /// Throws `RepositoryError.notOffered` if people cannot ask for access.
    func checkRequests() throws {
        guard options.allowsAccessRequests else {
            throw RepositoryError.notOffered("with people who ask for access")
        }
    }

    private func checkPermission(_ permission: CKShare.ParticipantPermission) throws {
        let needed: CKSharingParticipantPermissionOption = permission == .readOnly ? .readOnly : .readWrite
        guard options.allowedParticipantPermissionOptions.contains(needed) else {
            throw RepositoryError.notOffered(
                permission == .readOnly ? "with people who only read" : "with people who write")
        }
    }
}
