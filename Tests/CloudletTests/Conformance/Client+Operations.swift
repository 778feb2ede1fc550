import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useOperation() {
        let _: any (Operation & Sendable).Type = CKOperation.self
        let _: String.Type = CKOperation.ID.self
        let _: CKOperationConfiguration.Type = CKOperation.Configuration.self
        let _: () -> CKOperation = CKOperation.init
        let _: ReferenceWritableKeyPath<CKOperation, CKOperation.Configuration?> = \CKOperation.configuration
        let _: ReferenceWritableKeyPath<CKOperation, CKOperationGroup?> = \CKOperation.group
        let _: KeyPath<CKOperation, CKOperation.ID> = \CKOperation.operationID
        let _: ReferenceWritableKeyPath<CKOperation, (() -> Void)?> =
            \CKOperation.longLivedOperationWasPersistedBlock
        let _: ReferenceWritableKeyPath<CKOperation, CKContainer?> = \CKOperation.container
        let _: ReferenceWritableKeyPath<CKOperation, Bool> = \CKOperation.allowsCellularAccess
        let _: ReferenceWritableKeyPath<CKOperation, Bool> = \CKOperation.isLongLived
        let _: ReferenceWritableKeyPath<CKOperation, TimeInterval> = \CKOperation.timeoutIntervalForRequest
    }

    @available(*, deprecated)
    static func useOperation2() {
        let _: ReferenceWritableKeyPath<CKOperation, TimeInterval> = \CKOperation.timeoutIntervalForResource
    }

    @available(*, deprecated)
    static func useOperationConfiguration() {
        let _: any (NSObject & Sendable).Type = CKOperation.Configuration.self
        let _: () -> CKOperation.Configuration = CKOperation.Configuration.init
        let _: ReferenceWritableKeyPath<CKOperation.Configuration, CKContainer?> =
            \CKOperation.Configuration.container
        let _: ReferenceWritableKeyPath<CKOperation.Configuration, QualityOfService> =
            \CKOperation.Configuration.qualityOfService
        let _: ReferenceWritableKeyPath<CKOperation.Configuration, Bool> =
            \CKOperation.Configuration.allowsCellularAccess
        let _: ReferenceWritableKeyPath<CKOperation.Configuration, Bool> =
            \CKOperation.Configuration.isLongLived
        let _: ReferenceWritableKeyPath<CKOperation.Configuration, TimeInterval> =
            \CKOperation.Configuration.timeoutIntervalForRequest
        let _: ReferenceWritableKeyPath<CKOperation.Configuration, TimeInterval> =
            \CKOperation.Configuration.timeoutIntervalForResource
    }

    @available(*, deprecated)
    static func useOperationGroup() {
        let _: any (NSObject & NSSecureCoding & Sendable).Type = CKOperationGroup.self
        let _: (NSCoder) -> CKOperationGroup? = CKOperationGroup.init(coder:)
    }

    @available(*, deprecated)
    static func useOperationGroupTransferSize() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKOperationGroup.TransferSize.self
        let _: CKOperationGroup.TransferSize = CKOperationGroup.TransferSize.unknown
        let _: CKOperationGroup.TransferSize = CKOperationGroup.TransferSize.kilobytes
        let _: CKOperationGroup.TransferSize = CKOperationGroup.TransferSize.megabytes
        let _: CKOperationGroup.TransferSize = CKOperationGroup.TransferSize.tensOfMegabytes
        let _: CKOperationGroup.TransferSize = CKOperationGroup.TransferSize.hundredsOfMegabytes
        let _: CKOperationGroup.TransferSize = CKOperationGroup.TransferSize.gigabytes
        let _: CKOperationGroup.TransferSize = CKOperationGroup.TransferSize.tensOfGigabytes
        let _: CKOperationGroup.TransferSize = CKOperationGroup.TransferSize.hundredsOfGigabytes
    }

    @available(*, deprecated)
    static func useOperationGroup2() {
        let _: () -> CKOperationGroup = CKOperationGroup.init
        let _: KeyPath<CKOperationGroup, String> = \CKOperationGroup.operationGroupID
        let _: ReferenceWritableKeyPath<CKOperationGroup, CKOperation.Configuration?> =
            \CKOperationGroup.defaultConfiguration
        let _: ReferenceWritableKeyPath<CKOperationGroup, String?> = \CKOperationGroup.name
        let _: ReferenceWritableKeyPath<CKOperationGroup, Int> = \CKOperationGroup.quantity
        let _: ReferenceWritableKeyPath<CKOperationGroup, CKOperationGroup.TransferSize> =
            \CKOperationGroup.expectedSendSize
        let _: ReferenceWritableKeyPath<CKOperationGroup, CKOperationGroup.TransferSize> =
            \CKOperationGroup.expectedReceiveSize
    }

    @available(*, deprecated)
    static func useDatabaseOperation() {
        let _: any (CKOperation & Sendable).Type = CKDatabaseOperation.self
        let _: () -> CKDatabaseOperation = CKDatabaseOperation.init
        let _: ReferenceWritableKeyPath<CKDatabaseOperation, CKDatabase?> = \CKDatabaseOperation.database
    }
}
