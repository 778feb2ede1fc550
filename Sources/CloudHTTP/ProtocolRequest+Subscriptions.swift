import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func subscriptionsList() async throws -> [UInt8] {
        let _: SubscriptionsListRequest = try await decoded()
        let subscriptions = try await service.pushes.subscriptions(in: kind, by: caller)
        return answer(subscriptions.map { .subscription($0) })
    }

    func subscriptionsLookup() async throws -> [UInt8] {
        let request: SubscriptionsLookupRequest = try await decoded()
        return answer(try await service.pushes.lookupSubscriptions(request.ids, in: kind, by: caller))
    }

    func subscriptionsModify() async throws -> [UInt8] {
        let request: SubscriptionsModifyRequest = try await decoded()
        return answer(try await service.pushes.modifySubscriptions(request.operations, in: kind, by: caller))
    }

    private func answer(_ results: [SubscriptionResult]) -> [UInt8] {
        notes.note(itemErrors: results.lazy.compactMap(\.error))
        let owner = kind == .private ? caller.userRecordName : nil
        return SubscriptionsAnswer(results).encoded(in: context, zoneOwner: owner)
    }
}
