import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func assetsUpload() async throws -> [UInt8] {
        let request: AssetsUploadRequest = try await decoded()
        let uploads = request.tokens.map {
            RequestedUpload(
                recordName: $0.recordName, recordType: $0.recordType, fieldName: $0.fieldName,
                content: $0.content
            )
        }
        let grants = try await service.assets.uploadGrants(
            for: uploads, in: kind, zone: request.zone, by: caller)
        let tokens = grants.map { grant in
            AssetsUploadAnswer.Token(
                recordName: grant.recordName, fieldName: grant.fieldName,
                url: "\(baseURL)/assets/\(grant.ticket)", asset: grant.asset
            )
        }
        return AssetsUploadAnswer(tokens).encoded()
    }

    func assetsRereference() async throws -> [UInt8] {
        let request: AssetsRereferenceRequest = try await decoded()
        let sources = request.assets.map {
            AssetSource(recordName: $0.recordName, fieldName: $0.fieldName)
        }
        let assets = try await service.records.rereference(
            sources, from: request.zone, to: request.targetZone, in: kind, by: caller
        )
        return AssetsRereferenceAnswer(assets).encoded(in: context)
    }
}
