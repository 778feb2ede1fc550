import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useContainersA() {
        let _: any (NSObject & Sendable).Type = CKContainer.self
        let _: (String) -> CKContainer = CKContainer.init(identifier:)
        let _: () -> CKContainer = CKContainer.default
        let _: Readable<CKContainer, String?> = \.containerIdentifier
        let _: (CKContainer) -> (CKOperation) -> Void = CKContainer.add(_:)
        let _: Readable<CKContainer, CKDatabase> = \.privateCloudDatabase
        let _: Readable<CKContainer, CKDatabase> = \.publicCloudDatabase
        let _: Readable<CKContainer, CKDatabase> = \.sharedCloudDatabase
        let _: (CKContainer) -> (CKDatabase.Scope) -> CKDatabase = CKContainer.database(with:)
        let _: (CKContainer) -> (@escaping @Sendable (CKAccountStatus, (any Error)?) -> Void) -> Void =
            CKContainer.accountStatus(completionHandler:)
        let _: (CKContainer) -> () async throws -> CKAccountStatus = CKContainer.accountStatus
        let _: (CKContainer) -> (@escaping Answer<CKRecord.ID>) -> Void = CKContainer.fetchUserRecordID(
            completionHandler:)
        let _: (CKContainer) -> () async throws -> CKRecord.ID = CKContainer.userRecordID
        let _: any (OptionSet & Sendable).Type = CKContainer.ApplicationPermissions.self
        let _: (UInt) -> CKContainer.ApplicationPermissions = CKContainer.ApplicationPermissions.init(
            rawValue:)
        let _: CKContainer.ApplicationPermissions = .userDiscoverability
        let _: any (Sendable & RawRepresentable<Int>).Type = CKContainer.ApplicationPermissionStatus.self
        let _: [CKContainer.ApplicationPermissionStatus] = [
            .initialState, .couldNotComplete, .denied, .granted,
        ]
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
        let _:
            (CKContainer) -> (CKContainer.ApplicationPermissions) async throws ->
                CKContainer.ApplicationPermissionStatus = CKContainer.requestApplicationPermission(_:)
        let _: (CKContainer) -> (@escaping Answer<[CKUserIdentity]>) -> Void = CKContainer
            .discoverAllIdentities(completionHandler:)
        let _: (CKContainer) -> () async throws -> [CKUserIdentity] = CKContainer
            .allUserIdentitiesFromContacts
    }

    @available(*, deprecated)
    static func useContainersB() {
        let _: (CKContainer) -> (String, @escaping Answer<CKUserIdentity>) -> Void = CKContainer
            .discoverUserIdentity(withEmailAddress:completionHandler:)
        let _: (CKContainer) -> (String) async throws -> CKUserIdentity? = CKContainer.userIdentity(
            forEmailAddress:)
        let _: (CKContainer) -> (String, @escaping Answer<CKUserIdentity>) -> Void = CKContainer
            .discoverUserIdentity(withPhoneNumber:completionHandler:)
        let _: (CKContainer) -> (String) async throws -> CKUserIdentity? = CKContainer.userIdentity(
            forPhoneNumber:)
        let _: (CKContainer) -> (CKRecord.ID, @escaping Answer<CKUserIdentity>) -> Void = CKContainer
            .discoverUserIdentity(withUserRecordID:completionHandler:)
        let _: (CKContainer) -> (CKRecord.ID) async throws -> CKUserIdentity? = CKContainer.userIdentity(
            forUserRecordID:)
        let _: (CKContainer) -> (String, @escaping Answer<CKShare.Participant>) -> Void = CKContainer
            .fetchShareParticipant(withEmailAddress:completionHandler:)
        let _: (CKContainer) -> (String) async throws -> CKShare.Participant = CKContainer.shareParticipant(
            forEmailAddress:)
        let _: (CKContainer) -> (String, @escaping Answer<CKShare.Participant>) -> Void = CKContainer
            .fetchShareParticipant(withPhoneNumber:completionHandler:)
        let _: (CKContainer) -> (String) async throws -> CKShare.Participant = CKContainer.shareParticipant(
            forPhoneNumber:)
        let _: (CKContainer) -> (CKRecord.ID, @escaping Answer<CKShare.Participant>) -> Void = CKContainer
            .fetchShareParticipant(withUserRecordID:completionHandler:)
        let _: (CKContainer) -> (CKRecord.ID) async throws -> CKShare.Participant = CKContainer
            .shareParticipant(forUserRecordID:)
        let _: (CKContainer) -> (URL, @escaping Answer<CKShare.Metadata>) -> Void = CKContainer
            .fetchShareMetadata(with:completionHandler:)
        let _: (CKContainer) -> (URL) async throws -> CKShare.Metadata = CKContainer.shareMetadata(for:)
        let _: (CKContainer) -> (CKShare.Metadata, @escaping Answer<CKShare>) -> Void = CKContainer.accept(
            _:completionHandler:)
        let _: (CKContainer) -> (CKShare.Metadata) async throws -> CKShare = CKContainer.accept(_:)
        let _: (CKContainer) -> (@escaping Answer<[CKOperation.ID]>) -> Void = CKContainer
            .fetchAllLongLivedOperationIDs(completionHandler:)
        let _: (CKContainer) -> () async throws -> [CKOperation.ID] = CKContainer.allLongLivedOperationIDs
        let _: (CKContainer) -> (CKOperation.ID, @escaping Answer<CKOperation>) -> Void = CKContainer
            .fetchLongLivedOperation(withID:completionHandler:)
        let _: (CKContainer) -> (CKOperation.ID) async throws -> CKOperation? = CKContainer
            .longLivedOperation(for:)
        let _:
            (CKContainer) -> (CKOperation.Configuration?, CKOperationGroup?, (CKContainer) throws -> Int)
                throws -> Int = CKContainer.configuredWith(configuration:group:body:)
        let _:
            (CKContainer) -> (
                CKOperation.Configuration?, CKOperationGroup?, @Sendable (CKContainer) async throws -> Int
            ) async throws -> Int = CKContainer.configuredWith(configuration:group:body:)
    }

    @available(*, deprecated)
    static func useContainersC() {
        let _: (CKContainer) -> ([String], @escaping Handler<[String: CKUserIdentity]>) -> Void = CKContainer
            .discoverUserIdentities(forEmailAddresses:completionHandler:)
        let _: (CKContainer) -> ([String]) async throws -> [String: CKUserIdentity] = CKContainer
            .userIdentities(forEmailAddresses:)
        let _: (CKContainer) -> ([String], @escaping Handler<[String: CKUserIdentity]>) -> Void = CKContainer
            .discoverUserIdentities(forPhoneNumbers:completionHandler:)
        let _: (CKContainer) -> ([String]) async throws -> [String: CKUserIdentity] = CKContainer
            .userIdentities(forPhoneNumbers:)
        let _: (CKContainer) -> ([CKRecord.ID], @escaping Handler<[CKRecord.ID: CKUserIdentity]>) -> Void =
            CKContainer.discoverUserIdentities(forUserRecordIDs:completionHandler:)
        let _: (CKContainer) -> ([CKRecord.ID]) async throws -> [CKRecord.ID: CKUserIdentity] = CKContainer
            .userIdentities(forUserRecordIDs:)
        let _:
            (CKContainer) -> ([String], @escaping Handler<[String: Outcome<CKShare.Participant>]>) -> Void =
                CKContainer.fetchShareParticipants(forEmailAddresses:completionHandler:)
        let _: (CKContainer) -> ([String]) async throws -> [String: Outcome<CKShare.Participant>] =
            CKContainer.shareParticipants(forEmailAddresses:)
        let _:
            (CKContainer) -> ([String], @escaping Handler<[String: Outcome<CKShare.Participant>]>) -> Void =
                CKContainer.fetchShareParticipants(forPhoneNumbers:completionHandler:)
        let _: (CKContainer) -> ([String]) async throws -> [String: Outcome<CKShare.Participant>] =
            CKContainer.shareParticipants(forPhoneNumbers:)
        let _:
            (CKContainer) -> ([CKRecord.ID], @escaping Handler<[CKRecord.ID: Outcome<CKShare.Participant>]>)
                -> Void = CKContainer.fetchShareParticipants(forUserRecordIDs:completionHandler:)
        let _: (CKContainer) -> ([CKRecord.ID]) async throws -> [CKRecord.ID: Outcome<CKShare.Participant>] =
            CKContainer.shareParticipants(forUserRecordIDs:)
        let _: (CKContainer) -> ([URL], @escaping Handler<[URL: Outcome<CKShare.Metadata>]>) -> Void =
            CKContainer.fetchShareMetadatas(for:completionHandler:)
        let _: (CKContainer) -> ([URL]) async throws -> [URL: Outcome<CKShare.Metadata>] = CKContainer
            .shareMetadatas(for:)
        let _:
            (CKContainer) -> ([CKShare.Metadata], @escaping Handler<[CKShare.Metadata: Outcome<CKShare>]>) ->
                Void = CKContainer.accept(_:completionHandler:)
        let _: (CKContainer) -> ([CKShare.Metadata]) async throws -> [CKShare.Metadata: Outcome<CKShare>] =
            CKContainer.accept(_:)
        let _: CKContainer.Application.Type = CKContainer.Application.self
        let _: CKContainer.ApplicationPermissions.Type = CKContainer.Application.Permissions.self
        let _: CKContainer.ApplicationPermissionStatus.Type = CKContainer.Application.PermissionStatus.self
        let _: CKContainer.ApplicationPermissionBlock.Type = CKContainer.Application.PermissionBlock.self
        let _: CKContainer.ApplicationPermissions.Type = CKContainer_Application_Permissions.self
        let _: CKContainer.ApplicationPermissionStatus.Type = CKContainer_Application_PermissionStatus.self
        let _: CKContainer.ApplicationPermissionBlock.Type = CKContainer_Application_PermissionBlock.self
    }
}
