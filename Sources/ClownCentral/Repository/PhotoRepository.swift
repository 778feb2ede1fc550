import Cloudlet
import Foundation

/// The photos in the public database. The full picture and the thumbnail are two assets of one record.
struct PhotoRepository: Sendable {
    let database: CKDatabase

    /// Look-ups of photos by ID and name. They fetch no assets.
    var table: RecordTable<Photo> {
        RecordTable(
            database: database,
            recordType: Photo.recordType,
            keys: Photo.Key.described,
            read: { try Photo($0) },
            name: { $0.name }
        )
    }

    /// Saves photos in batches of at most 200. Each photo succeeds or fails on its own.
    func add(_ uploads: [PhotoUpload]) async throws -> [Photo.ID: Result<Photo, any Error>] {
        var results: [Photo.ID: Result<Photo, any Error>] = [:]
        for chunk in uploads.chunks(of: Batch.maximumRecords) {
            let records = chunk.map(record)
            let answer = try await database.modifyRecords(saving: records, deleting: [], atomically: false)
            for (recordID, result) in answer.saveResults {
                results[recordID.recordName] = Result { try Photo(try result.get()) }
            }
        }
        return results
    }

    /// The first page of a party's photos, sorted by name, with thumbnails but without full pictures.
    func list(party: Party.ID, limit: Int) async throws -> PhotoPage {
        let predicate = BackReference.predicate(Photo.Key.party, to: party)
        let query = CKQuery(recordType: Photo.recordType, predicate: predicate)
        query.sortDescriptors = [NSSortDescriptor(key: Photo.Key.name, ascending: true)]
        return try page(try await RecordPage.first(query, in: database, keys: Photo.Key.listed, limit: limit))
    }

    /// The page of photos that begins at a cursor.
    func next(_ cursor: CKQueryOperation.Cursor, limit: Int) async throws -> PhotoPage {
        try page(try await RecordPage.next(cursor, in: database, keys: Photo.Key.listed, limit: limit))
    }

    /// Fetches the file of one photo: the thumbnail or the full picture, and no other field.
    func file(of id: Photo.ID, isThumbnail: Bool) async throws -> URL {
        let key = isThumbnail ? Photo.Key.thumbnail : Photo.Key.image
        let recordID = CKRecord.ID(recordName: id)
        let result = try await database.records(for: [recordID], desiredKeys: [key])[recordID]
        guard let asset = try result?.get()[key] as? CKAsset, let file = asset.fileURL else {
            throw RepositoryError.noFile(photo: id, field: key)
        }
        return file
    }

    /// Deletes a photo. The server later removes its files.
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

    private func page(_ page: RecordPage) throws -> PhotoPage {
        let found = try RecordList(page.records) { record in
            let asset = record[Photo.Key.thumbnail] as? CKAsset
            return ListedPhoto(
                photo: try Photo(record), thumbnail: asset?.fileURL.flatMap(ListedPhoto.Thumbnail.init(file:))
            )
        }
        return PhotoPage(photos: found.models, unreadable: found.unreadable, cursor: page.cursor)
    }
}
