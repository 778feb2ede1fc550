import Foundation

/// Creates participants from e-mail addresses, phone numbers or user records.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchshareparticipantsoperation>.
// Sendable because properties are set before the operation starts.
open class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
    /// The people to look up.
    open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?
    /// Called for each participant, unless `perShareParticipantResultBlock` is set.
    open var shareParticipantFetchedBlock: ((CKShare.Participant) -> Void)?
    /// Called once, when the operation ends, unless `fetchShareParticipantsResultBlock` is set. The error is
    /// `.partialFailure` if some people were not found.
    open var fetchShareParticipantsCompletionBlock: (((any Error)?) -> Void)?
    /// Called once for each lookup info, with the participant or the error. An unknown address or number
    /// gives a participant without an account.
    public var perShareParticipantResultBlock:
        (
            (
                _ lookupInfo: CKUserIdentity.LookupInfo,
                _ shareParticipantResult: Result<CKShare.Participant, any Error>
            ) -> Void
        )?
    /// Called once, when the operation ends. It is a success even if some people were not found.
    public var fetchShareParticipantsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Creates an operation without input: set what to look up before you add it to a container.
    public override init() {
        super.init()
    }

    /// Creates an operation that looks up these people.
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
    /// Looks up people and creates a participant for each, paired with its lookup info.
    func participants(
        _ infos: [CKUserIdentityLookupInfo]
    ) async throws -> [(CKUserIdentityLookupInfo, Result<CKShareParticipant, any Error>)] {
        zip(infos, try await discover(infos)).map { info, found in
            let identity = found?.plain ?? info.known
            if identity == nil, let id = info.userRecordID {
                return (
                    info,
                    .failure(
                        CKError.make(
                            .unknownItem,
                            "No person with this user record can be found [\(id.recordName)] -"
                                + " invite the person by e-mail address or phone number"))
                )
            }
            let known = identity ?? ArchivedIdentity(lookup: info.plain)
            return (
                info,
                .success(
                    CKShareParticipant(ArchivedParticipant(id: ArchivedParticipant.newID, identity: known)))
            )
        }
    }
}

extension CKOperation {
    /// Calls one of the two blocks for the end of an operation. If only some items failed, the result block
    /// gets a success and the older completion block gets `.partialFailure`.
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
