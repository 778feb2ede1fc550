// Owns doing the commands about photos.
import Cloudlet
import CommandText
import Foundation

extension Interpreter {
    func answer(_ command: PhotoCommand) async throws -> Answer {
        switch command {
        case .add(let party, let files): try await addPhotos(to: party, files)
        case .list(let party, let limit): try await listPhotos(party, limit: limit)
        case .next: try await nextPhotos()
        case .remove(let photo): try await removePhoto(photo)
        case .save(let photo, let file, let isThumbnail):
            try await savePhoto(photo, to: file, isThumbnail: isThumbnail)
        }
    }

    private func addPhotos(to word: Word, _ files: [Word]) async throws -> Answer {
        let party = try await party(word)
        var (uploads, failures): ([PhotoUpload], [Complaint]) = ([], [])
        for result in try await prepared(files, for: party) {
            switch result {
            case .success(let upload): uploads.append(upload)
            case .failure(let complaint): failures.append(complaint)
            }
        }
        let results = uploads.isEmpty ? [:] : try await photos.add(uploads)
        var saved: [ListedPhoto] = []
        for upload in uploads {
            switch results[upload.photo.id] {
            case .success(let photo): saved.append(ListedPhoto(photo: photo, thumbnail: upload.smallPicture))
            case .failure(let error): failures.append(Complaint(error).naming(upload.photo.name))
            case nil: failures.append(PhotoFile.refused(upload.photo.name, "the server did not answer"))
            }
        }
        removeThumbnails(of: uploads)
        return Answer.added(saved, to: party, failures: failures, advice: tools.thumbnailer == nil)
    }

    private func listPhotos(_ word: Word, limit: Int?) async throws -> Answer {
        let party = try await party(word)
        let most = session.profile.listLimit ?? .max
        let limit = min(limit ?? PhotoPage.defaultLimit, most)
        return remember(
            try await photos.list(party: party.id, limit: limit), of: party, limit: limit, shown: 0)
    }

    private func nextPhotos() async throws -> Answer {
        guard let list = session.photoList else {
            let message = "there is no photo list to go on with"
            throw Complaint(code: "noList", message: message, remedy: "photo list PARTY")
        }
        guard let cursor = list.cursor else {
            return Answer.photos(PhotoPage(photos: [], cursor: nil), of: list.party, from: list.shown)
        }
        let page = try await photos.next(cursor, limit: list.limit)
        return remember(page, of: list.party, limit: list.limit, shown: list.shown)
    }

    private func savePhoto(_ word: Word, to file: Word, isThumbnail: Bool) async throws -> Answer {
        if session.profile == .watch, !isThumbnail {
            throw Complaint(
                code: "noRoom", message: "a watch has no room for full photos",
                remedy: "photo save \(Quoting.quoted(word.text)) \(Quoting.quoted(file.text)) --thumbnail")
        }
        let photo = try await photo(word)
        let source = try await photos.file(of: photo.id, isThumbnail: isThumbnail)
        var target = tools.file(file)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
            target = target.appendingPathComponent(photo.name)
        }
        let shown = file.text.hasSuffix("/") ? file.text + photo.name : file.text
        guard try mayWrite(target, shownAs: shown) else { return Answer.talk("nothing was written") }
        let data: Data
        do {
            data = try Data(contentsOf: source, options: .mappedIfSafe)
            try data.writeForUser(to: target)
        } catch {
            let message = "\(file.text) cannot be written"
            throw Complaint(code: "badFile", message: message, span: file.range)
        }
        return Answer.savedFile(of: photo, isThumbnail: isThumbnail, data: data, name: shown)
    }

    /// Whether a file may be written; somebody at a terminal is asked about one that is there.
    func mayWrite(_ file: URL, shownAs name: String) throws -> Bool {
        guard let confirm = tools.confirm, FileManager.default.fileExists(atPath: file.path) else {
            return true
        }
        return try confirm("write over \(name)?")
    }

    private func removePhoto(_ word: Word) async throws -> Answer {
        let photo = try await photo(word)
        let database = container.publicCloudDatabase
        let record = try await database.record(for: CKRecord.ID(recordName: photo.id))
        try await photos.remove(photo.id)
        await keepUndo(of: photo.name, PartyTree(records: [record]))
        let fields = [Field("id", .text(photo.id)), Field("name", .text(photo.name))]
        return Answer(form: .record, entries: [Entry(fields)], notes: ["removed \(photo.name)"])
    }

    private func remember(_ page: PhotoPage, of party: Party, limit: Int, shown: Int) -> Answer {
        session.photoList = Session.PhotoList(
            party: party,
            limit: limit,
            cursor: page.cursor,
            shown: shown + page.photos.count
        )
        return Answer.photos(page, of: party, from: shown)
    }

    /// Makes photos of files, each with its thumbnail, several at a time and in the order of the files.
    private func prepared(
        _ files: [Word], for party: Party
    ) async throws -> [Result<PhotoUpload, Complaint>] {
        let photos = files.map { word in
            Result { try photo(of: word, for: party) }.mapError { Complaint($0) }
        }
        let thumbnailer = tools.thumbnailer
        return try await withThrowingTaskGroup(of: (Int, Result<PhotoUpload, Complaint>).self) { group in
            for (index, photo) in photos.enumerated() {
                group.addTask {
                    do throws(Complaint) {
                        let (photo, image) = try photo.get()
                        let shown = files[index].text
                        let thumbnail = try await Self.thumbnail(thumbnailer, of: image, photo, shown)
                        return (
                            index, .success(PhotoUpload(photo: photo, image: image, thumbnail: thumbnail))
                        )
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            let results = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            try Task.checkCancellation()
            return photos.indices.compactMap { results[$0] }
        }
    }

    private static func thumbnail(
        _ thumbnailer: Thumbnailer?, of image: URL, _ photo: Photo, _ shown: String
    ) async throws(Complaint) -> URL? {
        do {
            return try await thumbnailer?.thumbnail(of: image, name: photo.id, shownAs: shown)
        } catch {
            throw Complaint(error)
        }
    }

    private func photo(of word: Word, for party: Party) throws -> (Photo, URL) {
        let file = try PhotoFile(tools.file(word), shownAs: word.text)
        let photo = Photo(
            id: identifiers.next("photo"),
            name: file.url.lastPathComponent,
            partyID: party.id,
            size: file.header.size,
            byteCount: file.byteCount
        )
        return (photo, file.url)
    }

    private func removeThumbnails(of uploads: [PhotoUpload]) {
        for thumbnail in uploads.compactMap(\.thumbnail) {
            try? FileManager.default.removeItem(at: thumbnail)
        }
    }
}
