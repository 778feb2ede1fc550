public import Foundation

/// Accepts shares, so that their records appear in the shared database.
///
/// Servers do not share yet: each fails with `CKError.serverRejectedRequest`.
// Sendable because properties are set before the operation starts.
open class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
    /// The shares to accept.
    open var shareMetadatas: [CKShare.Metadata]?
    /// Hears what became of each share, unless `perShareResultBlock` does.
    open var perShareCompletionBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
    /// Hears of the end, with `.partialFailure` when shares failed, unless `acceptSharesResultBlock` does.
    open var acceptSharesCompletionBlock: (((any Error)?) -> Void)?
    /// Hears what became of each share.
    public var perShareResultBlock:
        ((_ metadata: CKShare.Metadata, _ metadataResult: Result<CKShare, any Error>) -> Void)?
    /// Hears of the end; a success even when single shares failed.
    public var acceptSharesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// An operation with nothing to do yet.
    public override init() {
        super.init()
    }

    /// Accepts these.
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

/// Asks what is behind the URLs of shares.
///
/// Servers do not share yet: each fails with `CKError.serverRejectedRequest`.
// Sendable because properties are set before the operation starts.
open class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
    /// The URLs.
    open var shareURLs: [URL]?
    /// Whether the record at the top is wanted too; false at first.
    open var shouldFetchRootRecord = false
    /// The fields wanted of the record at the top; nil: all.
    public var rootRecordDesiredKeys: [CKRecord.FieldKey]?
    /// Hears what is behind each URL, unless `perShareMetadataResultBlock` does.
    open var perShareMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
    /// Hears of the end, with `.partialFailure` when URLs failed, unless `fetchShareMetadataResultBlock`
    /// does.
    open var fetchShareMetadataCompletionBlock: (((any Error)?) -> Void)?
    /// Hears what is behind each URL.
    public var perShareMetadataResultBlock:
        ((_ shareURL: URL, _ shareMetadataResult: Result<CKShare.Metadata, any Error>) -> Void)?
    /// Hears of the end; a success even when single URLs failed.
    public var fetchShareMetadataResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// An operation with nothing to do yet.
    public override init() {
        super.init()
    }

    /// Asks about these.
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

/// Asks the owners of shares for an invitation.
///
/// Servers do not share yet: each fails with `CKError.serverRejectedRequest`.
// Sendable because properties are set before the operation starts.
open class CKShareRequestAccessOperation: CKOperation, @unchecked Sendable {
    /// The URLs of the shares.
    open var shareURLs: [URL]?
    /// Hears what became of each request.
    public var perShareAccessRequestResultBlock:
        ((_ shareURL: URL, _ accessRequestResult: Result<Void, any Error>) -> Void)?
    /// Hears of the end; a success even when single requests failed.
    public var shareAccessRequestResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// An operation with nothing to do yet.
    public override init() {
        super.init()
    }

    /// Asks for these.
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
