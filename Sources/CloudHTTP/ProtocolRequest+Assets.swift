import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func assetsUpload() async throws -> [UInt8] {
        let request: AssetsUploadRequest = try await decoded()
        let wishes = request.tokens.map {
            RequestedUpload(
                recordName: $0.recordName, recordType: $0.recordType, fieldName: $0.fieldName,
                content: $0.content
            )
        }
        let places = try await service.assets.uploadGrants(
            for: wishes, in: kind, zone: request.zone, by: caller)
        let tokens = places.map { place in
            AssetsUploadAnswer.Token(
                recordName: place.recordName, fieldName: place.fieldName,
                url: "\(origin)/assets/\(place.ticket)", asset: place.asset
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
