import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useContainer() {
        let _: any (NSObject & Sendable).Type = CKContainer.self
        let _: (String) -> CKContainer = CKContainer.init(identifier:)
        let _: () -> CKContainer = CKContainer.default
        let _: KeyPath<CKContainer, String?> = \CKContainer.containerIdentifier
        let _: (CKContainer) -> (CKOperation) -> Void = CKContainer.add(_:)
        let _: KeyPath<CKContainer, CKDatabase> = \CKContainer.privateCloudDatabase
        let _: KeyPath<CKContainer, CKDatabase> = \CKContainer.publicCloudDatabase
        let _: KeyPath<CKContainer, CKDatabase> = \CKContainer.sharedCloudDatabase
        let _: (CKContainer) -> (CKDatabase.Scope) -> CKDatabase = CKContainer.database(with:)
        let _: (CKContainer) -> (@escaping @Sendable (CKAccountStatus, (any Error)?) -> Void) -> Void =
            CKContainer.accountStatus(completionHandler:)
        let _: (CKContainer) -> () async throws -> CKAccountStatus = CKContainer.accountStatus
        let _: (CKContainer) -> (@escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void) -> Void =
            CKContainer.fetchUserRecordID(completionHandler:)
        let _: (CKContainer) -> () async throws -> CKRecord.ID = CKContainer.userRecordID
    }

    @available(*, deprecated)
    static func useContainerApplicationPermissions() {
        let _: any (OptionSet & Sendable).Type = CKContainer.ApplicationPermissions.self
        let _: (UInt) -> CKContainer.ApplicationPermissions = CKContainer.ApplicationPermissions.init(
            rawValue:)
        let _: CKContainer.ApplicationPermissions = CKContainer.ApplicationPermissions.userDiscoverability
    }

    @available(*, deprecated)
    static func useContainerApplicationPermissionStatus() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKContainer.ApplicationPermissionStatus.self
        let _: CKContainer.ApplicationPermissionStatus = CKContainer.ApplicationPermissionStatus.initialState
        let _: CKContainer.ApplicationPermissionStatus = CKContainer.ApplicationPermissionStatus
            .couldNotComplete
        let _: CKContainer.ApplicationPermissionStatus = CKContainer.ApplicationPermissionStatus.denied
        let _: CKContainer.ApplicationPermissionStatus = CKContainer.ApplicationPermissionStatus.granted
    }

    @available(*, deprecated)
    static func useContainer2() {
        let _: ((CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void).Type = CKContainer
            .ApplicationPermissionBlock.self
        let _:
            (CKContainer) -> (
                CKContainer.ApplicationPermissions,
                @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
            ) -> Void = CKContainer.status(forApplicationPermission:completionHandler:)
        let _:
            (CKContainer) -> (CKContainer.ApplicationPermissions) async throws ->
                CKContainer.ApplicationPermissionStatus = CKContainer.applicationPermissionStatus(for:)
        let _:
            (CKContainer) -> (
                CKContainer.ApplicationPermissions,
                @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
            ) -> Void = CKContainer.requestApplicationPermission(_:completionHandler:)
    }

    @available(*, deprecated)
    static func useContainer3() {
        let _:
            (CKContainer) -> (CKContainer.ApplicationPermissions) async throws ->
                CKContainer.ApplicationPermissionStatus = CKContainer.requestApplicationPermission(_:)
        let _: (CKContainer) -> (@escaping @Sendable ([CKUserIdentity]?, (any Error)?) -> Void) -> Void =
            CKContainer.discoverAllIdentities(completionHandler:)
        let _: (CKContainer) -> () async throws -> [CKUserIdentity] = CKContainer
            .allUserIdentitiesFromContacts
        let _:
            (CKContainer) -> (String, @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void) -> Void =
                CKContainer.discoverUserIdentity(withEmailAddress:completionHandler:)
        let _: (CKContainer) -> (String) async throws -> CKUserIdentity? = CKContainer.userIdentity(
            forEmailAddress:)
    }

    @available(*, deprecated)
    static func useContainer4() {
        let _:
            (CKContainer) -> (String, @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void) -> Void =
                CKContainer.discoverUserIdentity(withPhoneNumber:completionHandler:)
        let _: (CKContainer) -> (String) async throws -> CKUserIdentity? = CKContainer.userIdentity(
            forPhoneNumber:)
        let _:
            (CKContainer) -> (CKRecord.ID, @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void) ->
                Void = CKContainer.discoverUserIdentity(withUserRecordID:completionHandler:)
        let _: (CKContainer) -> (CKRecord.ID) async throws -> CKUserIdentity? = CKContainer.userIdentity(
            forUserRecordID:)
        let _:
            (CKContainer) -> (String, @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void) ->
                Void = CKContainer.fetchShareParticipant(withEmailAddress:completionHandler:)
    }

    @available(*, deprecated)
    static func useContainer5() {
        let _: (CKContainer) -> (String) async throws -> CKShare.Participant = CKContainer.shareParticipant(
            forEmailAddress:)
        let _:
            (CKContainer) -> (String, @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void) ->
                Void = CKContainer.fetchShareParticipant(withPhoneNumber:completionHandler:)
        let _: (CKContainer) -> (String) async throws -> CKShare.Participant = CKContainer.shareParticipant(
            forPhoneNumber:)
        let _:
            (CKContainer) -> (CKRecord.ID, @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void)
                -> Void = CKContainer.fetchShareParticipant(withUserRecordID:completionHandler:)
        let _: (CKContainer) -> (CKRecord.ID) async throws -> CKShare.Participant = CKContainer
            .shareParticipant(forUserRecordID:)
    }

    @available(*, deprecated)
    static func useContainer6() {
        let _: (CKContainer) -> (URL, @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void) -> Void =
            CKContainer.fetchShareMetadata(with:completionHandler:)
        let _: (CKContainer) -> (URL) async throws -> CKShare.Metadata = CKContainer.shareMetadata(for:)
        let _: (CKContainer) -> (CKShare.Metadata, @escaping Client.Answer<CKShare>) -> Void = CKContainer
            .accept(_:completionHandler:)
        let _: (CKContainer) -> (CKShare.Metadata) async throws -> CKShare = CKContainer.accept(_:)
        let _: (CKContainer) -> (@escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void) -> Void =
            CKContainer.fetchAllLongLivedOperationIDs(completionHandler:)
        let _: (CKContainer) -> () async throws -> [CKOperation.ID] = CKContainer.allLongLivedOperationIDs
        let _:
            (CKContainer) -> (CKOperation.ID, @escaping @Sendable (CKOperation?, (any Error)?) -> Void) ->
                Void = CKContainer.fetchLongLivedOperation(withID:completionHandler:)
    }

    @available(*, deprecated)
    static func useContainer7() {
        let _: (CKContainer) -> (CKOperation.ID) async throws -> CKOperation? = CKContainer
            .longLivedOperation(for:)
        let _:
            (CKContainer) -> (
                CKOperation.Configuration?, CKOperationGroup?,
                (_ configuredContainer: CKContainer) throws -> Int
            ) throws -> Int = CKContainer.configuredWith(configuration:group:body:)
        let _:
            (CKContainer) -> (
                CKOperation.Configuration?, CKOperationGroup?,
                @Sendable (_ configuredContainer: CKContainer) async throws -> Int
            ) async throws -> Int = CKContainer.configuredWith(configuration:group:body:)
        let _:
            (CKContainer) -> (
                [String], @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
            ) -> Void = CKContainer.discoverUserIdentities(forEmailAddresses:completionHandler:)
        let _: (CKContainer) -> ([String]) async throws -> [String: CKUserIdentity] = CKContainer
            .userIdentities(forEmailAddresses:)
    }

    @available(*, deprecated)
    static func useContainer8() {
        let _:
            (CKContainer) -> (
                [String], @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
            ) -> Void = CKContainer.discoverUserIdentities(forPhoneNumbers:completionHandler:)
        let _: (CKContainer) -> ([String]) async throws -> [String: CKUserIdentity] = CKContainer
            .userIdentities(forPhoneNumbers:)
        let _:
            (CKContainer) -> (
                [CKRecord.ID], @escaping @Sendable (Result<[CKRecord.ID: CKUserIdentity], any Error>) -> Void
            ) -> Void = CKContainer.discoverUserIdentities(forUserRecordIDs:completionHandler:)
        let _: (CKContainer) -> ([CKRecord.ID]) async throws -> [CKRecord.ID: CKUserIdentity] = CKContainer
            .userIdentities(forUserRecordIDs:)
        let _:
            (CKContainer) -> (
                [String],
                @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) ->
                    Void
            ) -> Void = CKContainer.fetchShareParticipants(forEmailAddresses:completionHandler:)
    }

    @available(*, deprecated)
    static func useContainer9() {
        let _: (CKContainer) -> ([String]) async throws -> [String: Result<CKShare.Participant, any Error>] =
            CKContainer.shareParticipants(forEmailAddresses:)
        let _:
            (CKContainer) -> (
                [String],
                @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) ->
                    Void
            ) -> Void = CKContainer.fetchShareParticipants(forPhoneNumbers:completionHandler:)
        let _: (CKContainer) -> ([String]) async throws -> [String: Result<CKShare.Participant, any Error>] =
            CKContainer.shareParticipants(forPhoneNumbers:)
        let _:
            (CKContainer) -> (
                [CKRecord.ID],
                @escaping @Sendable (Result<[CKRecord.ID: Result<CKShare.Participant, any Error>], any Error>)
                    -> Void
            ) -> Void = CKContainer.fetchShareParticipants(forUserRecordIDs:completionHandler:)
    }

    @available(*, deprecated)
    static func useContainer10() {
        let _:
            (CKContainer) -> ([CKRecord.ID]) async throws -> [CKRecord.ID: Result<
                CKShare.Participant, any Error
            >] = CKContainer.shareParticipants(forUserRecordIDs:)
        let _:
            (CKContainer) -> (
                [URL],
                @escaping @Sendable (Result<[URL: Result<CKShare.Metadata, any Error>], any Error>) -> Void
            ) -> Void = CKContainer.fetchShareMetadatas(for:completionHandler:)
        let _: (CKContainer) -> ([URL]) async throws -> [URL: Result<CKShare.Metadata, any Error>] =
            CKContainer.shareMetadatas(for:)
        let _:
            (CKContainer) -> (
                [CKShare.Metadata],
                @escaping @Sendable (Result<[CKShare.Metadata: Result<CKShare, any Error>], any Error>) ->
                    Void
            ) -> Void = CKContainer.accept(_:completionHandler:)
        let _:
            (CKContainer) -> ([CKShare.Metadata]) async throws -> [CKShare.Metadata: Result<
                CKShare, any Error
            >] = CKContainer.accept(_:)
    }

    @available(*, deprecated)
    static func useContainerApplication() {
        let _: CKContainer.Application.Type = CKContainer.Application.self
        let _: CKContainer.ApplicationPermissions.Type = CKContainer.Application.Permissions.self
        let _: CKContainer.ApplicationPermissionStatus.Type = CKContainer.Application.PermissionStatus.self
        let _: CKContainer.ApplicationPermissionBlock.Type = CKContainer.Application.PermissionBlock.self
    }

    @available(*, deprecated)
    static func useContainersConstants() {
        let _: CKContainer.ApplicationPermissions.Type = CKContainer_Application_Permissions.self
        let _: CKContainer.ApplicationPermissionStatus.Type = CKContainer_Application_PermissionStatus.self
        let _: CKContainer.ApplicationPermissionBlock.Type = CKContainer_Application_PermissionBlock.self
    }
}
