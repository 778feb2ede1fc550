// Owns the call that begins an upload.

import CloudService
import Records
import RecordsWire

extension Visit {
    func assetsUpload() async throws -> [UInt8] {
        let request: AssetsUploadRequest = try decoded()
        let wishes = request.tokens.map {
            UploadWish(recordName: $0.recordName, recordType: $0.recordType, fieldName: $0.fieldName)
        }
        let places = try await service.uploadPlaces(for: wishes, in: kind, by: caller)
        let tokens = places.map { place in
            AssetsUploadAnswer.Token(
                recordName: place.recordName, fieldName: place.fieldName,
                url: "\(origin)/assets/\(place.ticket)"
            )
        }
        return AssetsUploadAnswer(tokens).encoded()
    }
}
