import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useOperations() {
        let _: any (Operation & Sendable).Type = CKOperation.self
        let _: String.Type = CKOperation.ID.self
        let _: CKOperationConfiguration.Type = CKOperation.Configuration.self
        let _: () -> CKOperation = CKOperation.init
        let _: Writable<CKOperation, CKOperation.Configuration?> = \.configuration
        let _: Writable<CKOperation, CKOperationGroup?> = \.group
        let _: Readable<CKOperation, CKOperation.ID> = \.operationID
        let _: Writable<CKOperation, (() -> Void)?> = \.longLivedOperationWasPersistedBlock
        let _: Writable<CKOperation, CKContainer?> = \.container
        let _: Writable<CKOperation, Bool> = \.allowsCellularAccess
        let _: Writable<CKOperation, Bool> = \.isLongLived
        let _: Writable<CKOperation, TimeInterval> = \.timeoutIntervalForRequest
        let _: Writable<CKOperation, TimeInterval> = \.timeoutIntervalForResource
        let _: any (NSObject & Sendable).Type = CKOperation.Configuration.self
        let _: () -> CKOperation.Configuration = CKOperation.Configuration.init
        let _: Writable<CKOperation.Configuration, CKContainer?> = \.container
        let _: Writable<CKOperation.Configuration, QualityOfService> = \.qualityOfService
        let _: Writable<CKOperation.Configuration, Bool> = \.allowsCellularAccess
        let _: Writable<CKOperation.Configuration, Bool> = \.isLongLived
        let _: Writable<CKOperation.Configuration, TimeInterval> = \.timeoutIntervalForRequest
        let _: Writable<CKOperation.Configuration, TimeInterval> = \.timeoutIntervalForResource
        let _: any (NSObject & NSSecureCoding & Sendable).Type = CKOperationGroup.self
        let _: (NSCoder) -> CKOperationGroup? = CKOperationGroup.init(coder:)
        let _: any (Sendable & RawRepresentable<Int>).Type = CKOperationGroup.TransferSize.self
        let _: [CKOperationGroup.TransferSize] = [
            .unknown, .kilobytes, .megabytes, .tensOfMegabytes, .hundredsOfMegabytes, .gigabytes,
            .tensOfGigabytes, .hundredsOfGigabytes,
        ]
        let _: () -> CKOperationGroup = CKOperationGroup.init
        let _: Readable<CKOperationGroup, String> = \.operationGroupID
        let _: Writable<CKOperationGroup, CKOperation.Configuration?> = \.defaultConfiguration
        let _: Writable<CKOperationGroup, String?> = \.name
        let _: Writable<CKOperationGroup, Int> = \.quantity
        let _: Writable<CKOperationGroup, CKOperationGroup.TransferSize> = \.expectedSendSize
        let _: Writable<CKOperationGroup, CKOperationGroup.TransferSize> = \.expectedReceiveSize
        let _: any (CKOperation & Sendable).Type = CKDatabaseOperation.self
        let _: () -> CKDatabaseOperation = CKDatabaseOperation.init
        let _: Writable<CKDatabaseOperation, CKDatabase?> = \.database
    }
}
