import Cloudlet
import Foundation

/// Photos in the cloud: the full picture and the thumbnail are two assets of one record.
struct PhotoRepository: Sendable {
    let database: CKDatabase

    /// Finding photos by identifier and name, without any of their bytes.
    var table: RecordTable<Photo> {
        RecordTable(
            database: database,
            recordType: Photo.recordType,
            keys: Photo.Key.described,
            read: { try Photo($0) },
            name: { $0.name }
        )
    }

    /// Stores photos in one request; each succeeds or fails by itself.
    func add(_ uploads: [PhotoUpload]) async throws -> [Photo.ID: Result<Photo, any Error>] {
        var results: [Photo.ID: Result<Photo, any Error>] = [:]
        for chunk in uploads.chunks(of: Batch.largest) {
            let records = chunk.map(record)
            let answer = try await database.modifyRecords(saving: records, deleting: [], atomically: false)
            for (recordID, result) in answer.saveResults {
                results[recordID.recordName] = Result { try Photo(try result.get()) }
            }
        }
        return results
    }

    /// The first page of a party's photos by name, with thumbnails but without full pictures.
    func list(party: Party.ID, limit: Int) async throws -> PhotoPage {
        let predicate = BackReference.predicate(Photo.Key.party, to: party)
        let query = CKQuery(recordType: Photo.recordType, predicate: predicate)
        query.sortDescriptors = [NSSortDescriptor(key: Photo.Key.name, ascending: true)]
        return try page(try await Paging.first(query, in: database, keys: Photo.Key.listed, limit: limit))
    }

    /// The page after a cursor.
    func next(_ cursor: CKQueryOperation.Cursor, limit: Int) async throws -> PhotoPage {
        try page(try await Paging.next(cursor, in: database, keys: Photo.Key.listed, limit: limit))
    }

    /// Fetches the full picture or the thumbnail of one photo, and nothing else of it.
    func file(of id: Photo.ID, isThumbnail: Bool) async throws -> URL {
        let key = isThumbnail ? Photo.Key.thumbnail : Photo.Key.image
        let recordID = CKRecord.ID(recordName: id)
        let result = try await database.records(for: [recordID], desiredKeys: [key])[recordID]
        guard let asset = try result?.get()[key] as? CKAsset, let file = asset.fileURL else {
            throw RepositoryError.noFile(photo: id, field: key)
        }
        return file
    }

    /// Removes a photo; the server collects its files.
    func remove(_ id: Photo.ID) async throws {
        try await database.deleteRecord(withID: CKRecord.ID(recordName: id))
    }

    private func record(_ upload: PhotoUpload) -> CKRecord {
        let recordID = CKRecord.ID(recordName: upload.photo.id)
        var record = CKRecord(recordType: Photo.recordType, recordID: recordID)
        upload.photo.write(to: &record)
        record[Photo.Key.image] = CKAsset(fileURL: upload.image)
        record[Photo.Key.thumbnail] = upload.thumbnail.map(CKAsset.init)
        return record
    }

    private func page(_ paging: Paging) throws -> PhotoPage {
        let found = try Listing(paging.records) { record in
            let asset = record[Photo.Key.thumbnail] as? CKAsset
            return ListedPhoto(
                photo: try Photo(record), thumbnail: asset?.fileURL.flatMap(ListedPhoto.Thumbnail.init(file:))
            )
        }
        return PhotoPage(photos: found.models, unreadable: found.unreadable, cursor: paging.cursor)
    }
}
