import CloudletShell
import CommandShell
import Foundation

extension PhotoCommands {
    var add: CommandSpec {
        CommandSpec(
            ["photo", "add"],
            group: Self.group,
            summary: "add JPEG or PNG files to a party",
            arguments: [ArgumentSpec("PARTY", .party), ArgumentSpec("FILE", .file, .many)],
            details: """
                All files are stored in one batch.
                Files that cannot be used are reported; the others are still stored.
                Beside each photo a thumbnail of at most 256 pixels is stored, upright and without metadata.
                \(PartyCommands.partyHelp)
                """,
            examples: ["photo add Coffee A.jpg B.png"]
        ) { arguments in
            let (party, files) = (try arguments.requiredWord("PARTY"), arguments.words(from: "FILE"))
            return .work { try await add(files, to: party) }
        }
    }

    private func add(_ files: [Word], to word: Word) async throws -> Answer {
        let party = try await app.party(word)
        var (uploads, failures): ([PhotoUpload], [ShellError]) = ([], [])
        for result in try await prepared(files, for: party) {
            switch result {
            case .success(let upload): uploads.append(upload)
            case .failure(let shellError): failures.append(shellError)
            }
        }
        let results = uploads.isEmpty ? [:] : try await app.photos.add(uploads)
        var saved: [ListedPhoto] = []
        for upload in uploads {
            switch results[upload.photo.id] {
            case .success(let photo):
                saved.append(ListedPhoto(photo: photo, thumbnail: upload.listedThumbnail))
            case .failure(let error): failures.append(ShellError(error).naming(upload.photo.name))
            case nil: failures.append(PhotoFile.refused(upload.photo.name, "the server did not answer"))
            }
        }
        for thumbnail in uploads.compactMap(\.thumbnail) {
            try? FileManager.default.removeItem(at: thumbnail)
        }
        return Answer.added(saved, to: party, failures: failures, hasThumbnailer: app.thumbnailer != nil)
    }

    /// Reads the files and creates their thumbnails, several at a time. The results have the order of the
    /// files.
    private func prepared(
        _ files: [Word], for party: Party
    ) async throws -> [Result<PhotoUpload, ShellError>] {
        var photos: [Result<PhotoUpload, ShellError>] = []
        for word in files { photos.append(await photo(of: word, for: party)) }
        return try await withThrowingTaskGroup(of: (Int, Result<PhotoUpload, ShellError>).self) { group in
            for (index, photo) in photos.enumerated() {
                group.addTask {
                    do {
                        let shown = files[index].text
                        return (index, .success(try await withThumbnail(try photo.get(), shownAs: shown)))
                    } catch {
                        return (index, .failure(ShellError(error)))
                    }
                }
            }
            let results = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            try Task.checkCancellation()
            return photos.indices.compactMap { results[$0] }
        }
    }

    private func photo(of word: Word, for party: Party) async -> Result<PhotoUpload, ShellError> {
        do {
            let file = try PhotoFile(app.environment.file(word), shownAs: word.text)
            let photo = Photo(
                id: await app.cloud.makeIdentifier("photo"),
                name: file.url.lastPathComponent,
                partyID: party.id,
                size: file.header.size,
                byteCount: file.byteCount
            )
            return .success(PhotoUpload(photo: photo, image: file.url, thumbnail: nil))
        } catch {
            return .failure(ShellError(error))
        }
    }

    private func withThumbnail(_ upload: PhotoUpload, shownAs shown: String) async throws -> PhotoUpload {
        let thumbnail = try await app.thumbnailer?.thumbnail(
            of: upload.image, name: upload.photo.id, shownAs: shown)
        return PhotoUpload(photo: upload.photo, image: upload.image, thumbnail: thumbnail)
    }
}
