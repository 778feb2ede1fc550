import Foundation

/// Makes participants of people, found by address, number or user record.
// Sendable because properties are set before the operation starts.
open class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
    /// Whom to look for.
    open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?
    /// Hears of each participant, unless `perShareParticipantResultBlock` does.
    open var shareParticipantFetchedBlock: ((CKShare.Participant) -> Void)?
    /// Hears of the end, with `.partialFailure` when somebody was not found, unless
    /// `fetchShareParticipantsResultBlock` does.
    open var fetchShareParticipantsCompletionBlock: (((any Error)?) -> Void)?
    /// Hears what was found for each; an address or number of nobody is somebody without an account.
    public var perShareParticipantResultBlock:
        (
            (
                _ lookupInfo: CKUserIdentity.LookupInfo,
                _ shareParticipantResult: Result<CKShare.Participant, any Error>
            ) -> Void
        )?
    /// Hears of the end; a success even when somebody was not found.
    public var fetchShareParticipantsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// An operation with nobody to look for yet.
    public override init() {
        super.init()
    }

    /// Looks for these.
    public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
        self.init()
        self.userIdentityLookupInfos = userIdentityLookupInfos
    }

    override func perform() async {
        let infos = userIdentityLookupInfos ?? []
        let result = await attempt { try await self.containerClient.participants(infos) }
        await call {
            for (info, participant) in result.value ?? [] {
                if let block = self.perShareParticipantResultBlock {
                    block(info, participant)
                } else if let participant = participant.value {
                    self.shareParticipantFetchedBlock?(participant)
                }
            }
            self.end(
                result.map { $0.map { ($0.0, $0.1.error) } }, self.fetchShareParticipantsResultBlock,
                self.fetchShareParticipantsCompletionBlock)
        }
    }
}

extension CloudClient {
    /// The people looked for as participants, each beside the look-up.
    func participants(
        _ infos: [CKUserIdentityLookupInfo]
    ) async throws -> [(CKUserIdentityLookupInfo, Result<CKShareParticipant, any Error>)] {
        zip(infos, try await discover(infos)).map { info, identity in
            if identity == nil, let id = info.userRecordID {
                return (
                    info,
                    .failure(
                        CKError.make(
                            .unknownItem,
                            "Nobody of that user record is to be found [\(id.recordName)] - invite them by an"
                                + " address"))
                )
            }
            let known = identity?.plain ?? PlainIdentity(lookup: info.plain)
            return (
                info,
                .success(CKShareParticipant(PlainParticipant(id: PlainParticipant.newID, identity: known)))
            )
        }
    }
}

extension CKOperation {
    /// Calls the block for the end: a success for the newer one when only items failed, `.partialFailure` for
    /// the older one.
    func end<ID: Hashable>(
        _ result: Result<[(ID, (any Error)?)], any Error>,
        _ block: ((_ operationResult: Result<Void, any Error>) -> Void)?,
        _ older: (((any Error)?) -> Void)?
    ) {
        if let block {
            block(result.map { _ in () })
            return
        }
        var errors: [ID: any Error] = [:]
        for (id, error) in result.value ?? [] { errors[id] = error }
        older?(result.error ?? (errors.isEmpty ? nil : CKError.partialFailure(errors)))
    }
}
