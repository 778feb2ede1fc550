import Directory
import RecordStore
import Records

/// Whether a person who is not invited to a share can request access, or has requested it.
package enum AccessRequestState: Hashable, Sendable {
    /// The owner takes no requests, at least none of this person.
    case unavailable
    case possible
    /// The owner has not answered the person's request yet.
    case waiting
}

extension ShareService {
    /// Asks the owner of a share for access. Asking again changes nothing.
    ///
    /// Throws `notFound` if there is no share or it takes no requests of the caller, both with the same text;
    /// `participantAlreadyInvited` for a person who may accept; and `limitExceeded` if too many people wait.
    package func request(_ shortGUID: String, by caller: Caller) async throws {
        let person = try caller.requireUserRecordName()
        let key = try self.key(of: shortGUID, for: caller)
        let schema = try await schemaCache.schema(of: ContainerKey(caller))
        let account = try await context.directory.account(withUserRecordName: person, in: caller.container)
        let requester = AccessRequester(
            person: person,
            name: Participant.Name(given: account?.givenName, family: account?.familyName))
        try await databases.using(key) { database in
            let found = try await find(shortGUID, in: database, by: caller)
            if try await mayAccept(found, ShareLink(shortGUID), by: caller) {
                throw ShareRules.alreadyInvited(String(shortGUID.prefix(60)))
            }
            // The other participants do not learn who asks, so the owner counts as the writer.
            var stamp = context.stamp(of: caller)
            (stamp.by, stamp.device) = (found.owner, nil)
            let operation = RecordOperation(
                .forceUpdate, recordName: found.share.id.name, recordType: Share.recordType,
                changeTag: found.share.changeTag, share: .request(requester))
            var batch = WriteBatch(
                zone: found.share.id.zone.name, operations: [operation], stamp: stamp, schema: schema,
                limits: context.limits)
            batch.owner = found.owner
            for case .failure(_, let error) in try await database.records.commit(batch) {
                throw error.code == .notFound ? Self.noShare(shortGUID) : error
            }
        }
    }

    /// Whether the caller, who is not invited to a share, can request access or has requested it.
    package func requestState(
        of shortGUID: String, by caller: Caller
    ) async throws -> AccessRequestState {
        let person = try caller.requireUserRecordName()
        let key = try self.key(of: shortGUID, for: caller)
        let terms = try await databases.using(key) { try await find(shortGUID, in: $0, by: caller).terms }
        if !terms.allowsRequests || terms.isBlocked(person) {
            return .unavailable
        }
        return terms.requesters.contains { $0.person == person } ? .waiting : .possible
    }

    private func mayAccept(_ found: Found, _ link: ShareLink, by caller: Caller) async throws -> Bool {
        do {
            _ = try await participant(caller.requireUserRecordName(), of: found, link, by: caller)
            return true
        } catch let error as RecordError
            where error.code == .accessDenied || error.code == .participantMayNeedVerification
        {
            return false
        }
    }
}
