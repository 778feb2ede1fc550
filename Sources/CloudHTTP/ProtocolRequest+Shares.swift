import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func recordsResolve() async throws -> [UInt8] {
        try await resolved {
            try await service.shares.resolve($0.shortGUID, wantsRoot: $0.wantsRoot, by: caller)
        }
    }

    func recordsAccept() async throws -> [UInt8] {
        try await resolved {
            try await service.shares.accept($0.shortGUID, wantsRoot: $0.wantsRoot, by: caller)
        }
    }

    /// Answers for each share on its own; only a caller who is not signed in fails as a whole.
    private func resolved(
        _ find: (RecordsResolveRequest.Item) async throws -> ShareMetadata
    ) async throws -> [UInt8] {
        let request: RecordsResolveRequest = try await decoded()
        _ = try caller.requireUserRecordName()
        var entries: [RecordsResolveAnswer.Entry] = []
        for item in request.items {
            do {
                let found = try await find(item)
                entries.append((item, .success(found)))
            } catch let error as RecordError {
                handler.report(error, uuid: uuid)
                entries.append((item, .failure(error)))
            }
        }
        return RecordsResolveAnswer(entries, container: caller.container, environment: caller.environment)
            .encoded { context(of: $0, in: .shared) }
    }
}
