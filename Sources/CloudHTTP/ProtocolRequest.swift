import CloudService
import Records
import RecordsWire

/// One request to the web services, with its parsed path, parameters and caller.
struct ProtocolRequest: Sendable {
    let handler: RequestHandler
    let path: RequestPath
    let parameters: RequestParameters
    let caller: Caller
    let body: [UInt8]
    let uuid: String
    /// Collects facts for the measurement, such as the errors of single items.
    let notes: RequestNotes
    /// The lease for the memory of the body, held as long as this request; nil if it is not counted.
    var bodyLease: ByteLease?
    /// The lease for the memory of the answer; nil if it is not counted.
    var answerLease: ByteLease?
    /// Whether errors in the answer have details.
    var addsDetails = false
    /// The base URL for URLs in the answer.
    var baseURL = ""

    /// The size of a body, or the bytes of an answer that count, from which the work runs on another thread
    /// than the one that answers requests.
    private static let largeBytes = SlowWork.manyBytes

    /// Executes the call and returns the body of its answer.
    func answer() async throws -> AnswerBody {
        // A save only decodes its body on another thread. It then waits for the disk, which must not take up
        // one of the slow threads.
        let isSave = path.endpoint == .recordsModify
        if body.count < Self.largeBytes || isSave { return try await executed() }
        // The answer to any other change repeats the content of the body. Its memory is reserved first,
        // because an answer must not be refused after the change.
        if !path.endpoint.isRead { try answerLease?.grow(by: 2 * body.count) }
        return try await service.slowWork.onSlowThread(for: caller.workPayer) { try await executed() }
    }

    private func executed() async throws -> AnswerBody {
        if path.endpoint == .changesZone { return .buffer(try await changesZone()) }
        return .bytes(try await encodedAnswer())
    }

    private func encodedAnswer() async throws -> [UInt8] {
        switch path.endpoint {
        case .recordsQuery: try await recordsQuery()
        case .recordsLookup: try await recordsLookup()
        case .recordsModify: try await recordsModify()
        case .recordsChanges: try await recordsChanges()
        case .changesDatabase: try await changesDatabase()
        case .zonesChanges: try await zonesChanges()
        case .recordsResolve: try await recordsResolve()
        case .recordsAccept: try await recordsAccept()
        case .recordsRequestAccess: try await recordsRequestAccess()
        case .zonesList: try await zonesList()
        case .zonesLookup: try await zonesLookup()
        case .zonesModify: try await zonesModify()
        case .subscriptionsList: try await subscriptionsList()
        case .subscriptionsLookup: try await subscriptionsLookup()
        case .subscriptionsModify: try await subscriptionsModify()
        case .assetsUpload: try await assetsUpload()
        case .assetsRereference: try await assetsRereference()
        case .usersCaller: try await usersCaller()
        case .usersCurrent: try await usersCurrent()
        case .usersDiscover: try await usersDiscover()
        case .usersLookupEmail: try await usersLookup(by: .emailAddress)
        case .usersLookupID: try await usersLookup(by: .userRecordName)
        case .usersLookupContacts: try await usersLookupContacts()
        case .usersPermission: try await usersPermission()
        case .tokensCreate: try await tokensCreate()
        case .tokensRegister: try await tokensRegister()
        case .notificationsChanges: try await notificationsChanges()
        case .notificationsRead: try await notificationsRead()
        case .badge: try await badge()
        case .changesZone: throw RecordError(.internalError, "changes/zone is answered elsewhere")
        }
    }

    var service: CloudService { handler.service }
    var kind: DatabaseKind { path.database ?? .public }

    /// The context for encoding the answer.
    var context: AnswerContext { context(of: nil) }

    /// The context for encoding the records of a zone; in the shared database, the zone names its owner. The
    /// closure that makes the URLs of assets is called when they are written.
    func context(of zone: ZoneID?, in database: DatabaseKind? = nil) -> AnswerContext {
        let kind = database ?? self.kind
        let (service, caller, baseURL) = (service, caller, baseURL)
        let person = caller.userRecordName
        let owner: String? =
            switch kind {
            case .public: nil
            case .private: person
            case .shared: zone?.owner ?? person
            }
        let cipher = service.records.changeNumberCipher(in: kind, ofOwner: owner, for: caller)
        var context = AnswerContext(
            owner: owner, person: person, uuid: uuid, addsDetails: addsDetails,
            shareAddress: "\(baseURL)/share/"
        ) { _, slot in
            let direct = service.assets.objectAddress(of: slot.fileChecksum, in: kind, of: owner, by: caller)
            if let direct { return direct }
            let ticket = service.assets.downloadTicket(
                for: slot.fileChecksum, in: kind, of: owner, zone: zone?.name, by: caller)
            return "\(baseURL)/assets/\(ticket)"
        }
        if let cipher { context.encryptedNumber = { cipher.encrypted($0) } }
        return context
    }

    /// Decodes the body. Throws `badRequest` if it is not valid.
    func decoded<Body: WireRequest>(_ type: Body.Type = Body.self) async throws -> Body {
        try await working(onBytes: body.count) { try Body(bytes: body, limits: service.limits) }
    }

    /// Runs work whose cost depends on a number of bytes: on this thread, or on another one if there are
    /// many.
    func working<Result>(onBytes count: Int, _ work: () throws -> Result) async throws -> Result {
        try await service.slowWork.computing(onBytes: count, for: caller.workPayer, work)
    }

    /// Runs `work`, which encodes an answer with this many bytes (`AnswerSize.encodingBytes`), or a part of
    /// one: on this thread, or on another one if the answer has many bytes up to the end of this part. In
    /// that case, memory for the fields and for their encoding is reserved first, in addition to the memory
    /// that is already reserved.
    ///
    /// Throws `tryAgainLater` if too much is being sent.
    ///
    /// - Parameter encoded: the bytes of the parts of the answer that are encoded already.
    func encoding<Result>(
        ofBytes count: Int, after encoded: Int = 0, _ work: () throws -> Result
    ) async throws -> Result {
        let total = encoded + count
        if total >= Self.largeBytes {
            // Nothing is reserved for the earlier parts of an answer until it has many bytes.
            try answerLease?.grow(by: 2 * (encoded < Self.largeBytes ? total : count))
        }
        return try await working(onBytes: total, work)
    }

    /// Reserves memory for an answer with this many bytes of fields in total, and for encoding it. This
    /// replaces the earlier reservation. Throws `tryAgainLater` if too much is being sent.
    func reserve(_ bytes: Int) throws(RecordError) {
        if bytes >= Self.largeBytes { try answerLease?.resize(to: 2 * bytes) }
    }
}
