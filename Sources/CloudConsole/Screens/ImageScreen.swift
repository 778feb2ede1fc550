import CloudHTTP
import CloudService
import Records

/// A file of a public record that is an image, for the page of the record.
struct ImageScreen: Screen {
    static let title = "Image"

    /// The maximum number of bytes of an image that a page shows.
    static let maximumBytes: Int64 = 4_194_304

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let (record, _) = try await RecordScreen.record(request)
        let field = request.query["field"] ?? ""
        guard case .asset(let asset)? = record.fields[field]?.value else {
            throw RecordError(
                .notFound, "the record has no file in this field", culprit: field,
                nextStep: "look at the record")
        }
        let assets = request.service.assets
        let ticket = assets.downloadTicket(
            for: asset.fileChecksum, in: .public, of: nil, zone: nil, by: try request.caller())
        let bytes = try await assets.download(ticket: ticket).bytes(atMost: Self.maximumBytes)
        guard let type = Self.type(of: bytes) else {
            throw RecordError(
                .badRequest, "the file is not an image that a page shows", culprit: field,
                nextStep: "download it")
        }
        return PageContent(
            heading: Self.title, html: "", file: PageContent.File(contentType: type, bytes: bytes))
    }

    /// The maximum number of images on one page, and of files that are read to find them.
    private static let (maximumImages, maximumFiles) = (6, 20)

    /// The first fields of a record whose files are images that a page shows.
    static func images(of record: Record, _ request: ScreenRequest) async throws -> Set<String> {
        let (assets, caller) = (request.service.assets, try request.caller())
        var images: Set<String> = []
        var files = 0
        for (name, field) in record.fields where images.count < maximumImages && files < maximumFiles {
            guard case .asset(let asset) = field.value, !field.isEncrypted, asset.size <= maximumBytes else {
                continue
            }
            files += 1
            let ticket = assets.downloadTicket(
                for: asset.fileChecksum, in: .public, of: nil, zone: nil, by: caller)
            // A missing or damaged file counts as no image. Downloading it shows the reason.
            guard let file = try? await assets.download(ticket: ticket),
                let beginning = try? await file.beginning(bytes: 16)
            else { continue }
            if type(of: beginning) != nil { images.insert(name) }
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
