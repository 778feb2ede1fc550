public import Foundation

/// Accepts shares, so that their records appear in the shared database.
///
/// Cloudlet's server does not support sharing yet: each share fails with `CKError.serverRejectedRequest`.
///
/// Runs at `default` unless set, not at the later talk's utility, which does not fail without a network; see
/// ``CKOperationConfiguration/qualityOfService``.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckacceptsharesoperation>.
// Sendable because properties are set before the operation starts.
open class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
    /// The shares to accept.
    open var shareMetadatas: [CKShare.Metadata]?
    /// Called once for each share, with the share or the error, unless `perShareResultBlock` is set.
    open var perShareCompletionBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
    /// Called once, when the operation ends, unless `acceptSharesResultBlock` is set. The error is
    /// `.partialFailure` if shares failed.
    open var acceptSharesCompletionBlock: (((any Error)?) -> Void)?
    /// Called once for each share, with the share or the error.
    public var perShareResultBlock:
        ((_ metadata: CKShare.Metadata, _ metadataResult: Result<CKShare, any Error>) -> Void)?
    /// Called once, when the operation ends. It is a success even if some shares failed.
    public var acceptSharesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that accepts these shares.
    public convenience init(shareMetadatas: [CKShare.Metadata]) {
        self.init()
        self.shareMetadatas = shareMetadatas
    }

    override func perform() async {
        let items = shareMetadatas ?? []
        let result = await attempt {
            try self.containerClient.checkSignedIn()
            return items.map { ($0, CKError.sharingUnavailable($0.share.recordID.recordName)) }
        }
        await call {
            for (item, error) in result.value ?? [] {
                if let block = self.perShareResultBlock {
                    block(item, .failure(error))
                } else {
                    self.perShareCompletionBlock?(item, nil, error)
                }
            }
            self.end(
                result.map { $0.map { ($0.0, $0.1) } }, self.acceptSharesResultBlock,
                self.acceptSharesCompletionBlock)
        }
    }
}

/// Fetches the metadata of shares by their URLs.
///
/// Cloudlet's server does not support sharing yet: each URL fails with `CKError.serverRejectedRequest`.
///
/// Runs at `default` unless set, not at the later talk's utility, which does not fail without a network; see
/// ``CKOperationConfiguration/qualityOfService``.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchsharemetadataoperation>.
// Sendable because properties are set before the operation starts.
open class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
    /// The URLs of the shares.
    open var shareURLs: [URL]?
    /// Whether to fetch the root record too; false by default.
    open var shouldFetchRootRecord = false
    /// The names of the root record's fields to fetch; nil fetches all fields.
    public var rootRecordDesiredKeys: [CKRecord.FieldKey]?
    /// Called once for each URL, with the metadata or the error, unless `perShareMetadataResultBlock` is set.
    open var perShareMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
    /// Called once, when the operation ends, unless `fetchShareMetadataResultBlock` is set. The error is
    /// `.partialFailure` if URLs failed.
    open var fetchShareMetadataCompletionBlock: (((any Error)?) -> Void)?
    /// Called once for each URL, with the metadata or the error.
    public var perShareMetadataResultBlock:
        ((_ shareURL: URL, _ shareMetadataResult: Result<CKShare.Metadata, any Error>) -> Void)?
    /// Called once, when the operation ends. It is a success even if some URLs failed.
    public var fetchShareMetadataResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches the metadata for these URLs.
    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func perform() async {
        let items = shareURLs ?? []
        let result = await attempt {
            items.map { ($0, CKError.sharingUnavailable($0.absoluteString)) }
        }
        await call {
            for (item, error) in result.value ?? [] {
                if let block = self.perShareMetadataResultBlock {
                    block(item, .failure(error))
                } else {
                    self.perShareMetadataBlock?(item, nil, error)
                }
            }
            self.end(
                result.map { $0.map { ($0.0, $0.1) } }, self.fetchShareMetadataResultBlock,
                self.fetchShareMetadataCompletionBlock)
        }
    }
}

/// Requests access to shares from their owners.
///
/// Cloudlet's server does not support sharing yet: each request fails with `CKError.serverRejectedRequest`.
///
/// Runs at `default` unless set, not at the later talk's utility, which does not fail without a network; see
/// ``CKOperationConfiguration/qualityOfService``.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cksharerequestaccessoperation>.
// Sendable because properties are set before the operation starts.
open class CKShareRequestAccessOperation: CKOperation, @unchecked Sendable {
    /// The URLs of the shares.
    open var shareURLs: [URL]?
    /// Called once for each request, with success or the error.
    public var perShareAccessRequestResultBlock:
        ((_ shareURL: URL, _ accessRequestResult: Result<Void, any Error>) -> Void)?
    /// Called once, when the operation ends. It is a success even if some requests failed.
    public var shareAccessRequestResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that requests access to these shares.
    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func perform() async {
        let items = shareURLs ?? []
        let result = await attempt {
            try self.containerClient.checkSignedIn()
            return items.map { ($0, CKError.sharingUnavailable($0.absoluteString)) }
        }
        await call {
            for (item, error) in result.value ?? [] {
                self.perShareAccessRequestResultBlock?(item, .failure(error))
            }
            self.end(result.map { $0.map { ($0.0, $0.1) } }, self.shareAccessRequestResultBlock, nil)
        }
    }
}
