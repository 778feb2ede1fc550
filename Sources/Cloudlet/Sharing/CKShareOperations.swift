public import Foundation

/// Accepts shares, so that their records appear in the shared database.
///
/// Accepting a share again has no effect. A share of another container fails with `CKError.badContainer`.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
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
        let result = await attempt { Array(zip(items, try await self.containerClient.shares.accept(items))) }
        await call {
            for (item, share) in result.value ?? [] {
                if let block = self.perShareResultBlock {
                    block(item, share)
                } else {
                    self.perShareCompletionBlock?(item, share.value, share.error)
                }
            }
            self.end(
                result.map { $0.map { ($0.0, $0.1.error) } }, self.acceptSharesResultBlock,
                self.acceptSharesCompletionBlock)
        }
    }
}

/// Fetches the metadata of shares by their URLs.
///
/// A URL that leads to no share fails with `CKError.unknownItem`; a share without an invitation for the
/// person fails with `.permissionFailure`, or with `.participantMayNeedVerification` if an address was
/// invited that nobody has verified.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
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
        let (wantsRoot, keys) = (shouldFetchRootRecord, rootRecordDesiredKeys)
        let result = await attempt {
            let found = try await self.containerClient.shares.metadata(
                items, wantsRoot: wantsRoot, rootKeys: keys)
            return Array(zip(items, found))
        }
        await call {
            for (item, metadata) in result.value ?? [] {
                if let block = self.perShareMetadataResultBlock {
                    block(item, metadata)
                } else {
                    self.perShareMetadataBlock?(item, metadata.value, metadata.error)
                }
            }
            self.end(
                result.map { $0.map { ($0.0, $0.1.error) } }, self.fetchShareMetadataResultBlock,
                self.fetchShareMetadataCompletionBlock)
        }
    }
}

/// Requests access to shares from their owners.
///
/// The owner finds the person in ``CKShare/requesters``, and invites, denies or blocks them. Repeating a
/// request has no effect. The request fails with `CKError.unknownItem` if the share does not allow requests,
/// or blocks this person, and with `CKError.participantAlreadyInvited` if the person can accept the share.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
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
            Array(zip(items, try await self.containerClient.shares.requestAccess(items)))
        }
        await call {
            for (item, outcome) in result.value ?? [] {
                self.perShareAccessRequestResultBlock?(item, outcome)
            }
            self.end(result.map { $0.map { ($0.0, $0.1.error) } }, self.shareAccessRequestResultBlock, nil)
        }
    }
}
