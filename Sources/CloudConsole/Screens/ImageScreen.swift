import CloudHTTP
import CloudService
import Records

/// A file of a record that is an image, for the page of the record. A file of a private record is sent to its
/// owner, and to the people with whom the record is shared.
struct ImageScreen: Screen {
    static let title = "Image"

    /// The maximum number of bytes of an image that a page shows.
    static let maximumBytes: Int64 = 4_194_304

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let position = FilePosition(request.query)
        let (fields, ticket) = try await Self.fields(request)
        guard let asset = position.asset(in: fields) else {
            throw RecordError(
                .notFound, "the record has no file in this field", culprit: position.field,
                nextStep: "look at the record")
        }
        let bytes = try await request.service.assets.download(ticket: ticket(asset))
            .bytes(atMost: Self.maximumBytes)
        guard let type = Self.type(of: bytes) else {
            throw RecordError(
                .badRequest, "the file is not an image that a page shows", culprit: position.field,
                nextStep: "download it")
        }
        return PageContent(
            heading: Self.title, html: "", file: PageContent.File(contentType: type, bytes: bytes))
    }

    /// The fields of the record that the query names, and the tickets for its files. The record is public
    /// unless the query names one of the person's own databases.
    private static func fields(
        _ request: ScreenRequest
    ) async throws -> (fields: Fields, ticket: FileTicket) {
        if request.query["database"] == nil {
            return (try await RecordScreen.record(request).0.fields, try request.publicTicket())
        }
        guard let caller = try await request.ownCaller() else {
            throw RecordError(
                .notFound, "private files are shown to their owners alone", culprit: "database",
                nextStep: "sign in as yourself")
        }
        let own = OwnPlace(request.query)
        let record = try await OwnRecordScreen.record(request.query["name"] ?? "", in: own, request, caller)
        return (record.fields, request.ticket(in: own, caller))
    }

    /// The maximum number of images on one page, and of files that are read to find them.
    private static let (maximumImages, maximumFiles) = (6, 20)

    /// The first files of a record that are images that a page shows.
    static func images(
        in fields: Fields, _ request: ScreenRequest, _ ticket: FileTicket
    ) async throws -> Set<FilePosition> {
        var images: Set<FilePosition> = []
        var files = 0
        for (name, field) in fields where field.value.type.element == .asset && !field.isEncrypted {
            for (index, value) in field.value.elements.prefix(maximumFiles).enumerated() {
                if images.count == maximumImages || files == maximumFiles { return images }
                guard case .asset(let asset) = value, asset.size <= maximumBytes else { continue }
                files += 1
                // A missing or damaged file counts as no image. Downloading it shows the reason.
                guard let file = try? await request.service.assets.download(ticket: ticket(asset)),
                    let beginning = try? await file.beginning(bytes: 16)
                else { continue }
                if type(of: beginning) != nil { images.insert(FilePosition(name, index)) }
            }
        }
        return images
    }

    /// The type of an image by its first bytes; nil for every other file. SVG is not among them, because it
    /// can have scripts.
    static func type(of bytes: [UInt8]) -> String? {
        let starts: [([UInt8], String)] = [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
            ([0xFF, 0xD8, 0xFF], "image/jpeg"),
            (Array("GIF87a".utf8), "image/gif"), (Array("GIF89a".utf8), "image/gif"),
        ]
        if let known = starts.first(where: { bytes.starts(with: $0.0) }) { return known.1 }
        let isWebP =
            bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        return isWebP ? "image/webp" : nil
    }
}

/// Makes the ticket with which the file of a record is downloaded.
typealias FileTicket = @Sendable (Asset) -> String

extension ScreenRequest {
    /// The tickets for files of public records.
    func publicTicket() throws(RecordError) -> FileTicket {
        let (assets, caller) = (service.assets, try self.caller())
        return { asset in
            assets.downloadTicket(for: asset.fileChecksum, in: .public, of: nil, zone: nil, by: caller)
        }
    }

    /// The tickets for files of a person's own database.
    func ticket(in own: OwnPlace, _ caller: Caller) -> FileTicket {
        let assets = service.assets
        let owner = own.scope == .shared ? own.zone?.owner : nil
        return { asset in
            assets.downloadTicket(
                for: asset.fileChecksum, in: own.scope, of: owner ?? caller.userRecordName,
                zone: own.zone?.name, by: caller)
        }
    }
}
