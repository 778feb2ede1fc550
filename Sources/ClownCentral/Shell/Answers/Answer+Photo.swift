import CommandShell
import Foundation

extension Answer {
    private static let columns = [
        Column("NAME", "name"), Column("SIZE", "size"), Column("BYTES", "byteCount"),
        Column("THUMBNAIL", "thumbnail"), Column("ID", "id"),
    ]

    /// One page of photos. `shown` is the number of photos on the pages before it.
    static func photos(_ page: PhotoPage, of party: Party, from shown: Int) -> Answer {
        let full = page.photos.reduce(0) { $0 + $1.photo.byteCount }
        let fetched = page.photos.reduce(0) { $0 + ($1.thumbnail?.byteCount ?? 0) }
        let hasMore = page.cursor != nil && !(page.photos.isEmpty && page.unreadable.isEmpty)
        var notes: [String] = []
        if !page.photos.isEmpty {
            let sums = [fetched, full, full - fetched].map(Value.bytesText)
            notes.append("fetched \(sums[0]) of thumbnails for \(sums[1]) of photos: \(sums[2]) saved")
        }
        if hasMore { notes.append("there are more: photo next") }
        let end = "no more photos: the list is at its end"
        return Answer(
            form: .list,
            entries: page.photos.map { Entry(fields(of: $0)) },
            columns: columns,
            facts: [
                AnswerField("fetched", .bytes(fetched)), AnswerField("full", .bytes(full)),
                AnswerField("saved", .bytes(full - fetched)), AnswerField("more", .flag(hasMore)),
            ],
            notes: notes,
            whenEmpty: shown == 0 ? "no photos yet; add some: photo add PARTY FILE…" : end
        ).skipping(page.unreadable)
    }

    /// The result of adding a batch of photos: the saved ones, and an error for each other one. Without a
    /// thumbnailer, a note says how to install it.
    static func added(
        _ photos: [ListedPhoto], to party: Party, failures: [ShellError], hasThumbnailer: Bool
    ) -> Answer {
        var notes: [String] = []
        if !photos.isEmpty {
            notes.append("stored \(counted(photos.count, "photo")) of \(party.name)")
            if !hasThumbnailer { notes.append(Thumbnailer.advice) }
        }
        return Answer(
            form: .list,
            entries: photos.map { Entry(fields(of: $0)) },
            columns: columns,
            notes: notes,
            failures: failures,
            isBatch: true
        )
    }

    static func savedFile(of photo: Photo, isThumbnail: Bool, data: Data, name: String) -> Answer {
        let size = ImageHeader(data)?.size
        let fields = [
            AnswerField("id", .text(photo.id)),
            AnswerField("name", .text(photo.name)),
            AnswerField("file", .text(name)),
            AnswerField("size", size.map { .pixels(Value.Size($0)) } ?? .missing),
            AnswerField("byteCount", .bytes(data.count)),
        ]
        let what = isThumbnail ? "the thumbnail of \(photo.name)" : photo.name
        return Answer(form: .record, entries: [Entry(fields)], notes: ["saved \(what) to \(name)"])
    }

    private static func fields(of listed: ListedPhoto) -> [AnswerField] {
        let photo = listed.photo
        return [
            AnswerField("id", .text(photo.id)),
            AnswerField("name", .text(photo.name)),
            AnswerField("party", .text(photo.partyID)),
            AnswerField("size", .pixels(Value.Size(photo.size))),
            AnswerField("byteCount", .bytes(photo.byteCount)),
            AnswerField(
                "thumbnail",
                listed.thumbnail.map { .picture($0.size.map { Value.Size($0) }, byteCount: $0.byteCount) }
                    ?? .missing),
        ]
    }
}
