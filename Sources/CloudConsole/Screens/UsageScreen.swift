import CloudHTTP
import CloudService
import Records

/// The sizes of a container's databases, their quotas, and what and who takes up most of the public database.
/// All private databases are counted together.
struct UsageScreen: Screen {
    static let title = "Usage"

    private struct View: Sendable {
        struct Row: Sendable {
            var what: String
            var used: String
            var limit: String
            var percent: String
        }

        struct CreatorRow: Sendable {
            var userRecord: String
            var person: String
            /// A note about a creator that is no person; nil for a person.
            var note: String?
            var records: Int64
            var recordSize: String
            var fileSize: String
            var share: String
        }

        struct Types: Sendable {
            var typeRows: [TypeRow]
            var typePages: [PageLink]
        }

        /// A record type with what its records, their files and its indexes take up.
        struct TypeRow: Sendable {
            var href: String
            var typeName: String
            var records: String
            var recordSize: String
            var fileSize: String
            var indexSize: String
            var share: String
        }

        var users: Int64
        var rows: [Row]
        /// nil if the store cannot tell.
        var types: Types?
        var creators: [CreatorRow]
        var nextHref: String?
        var firstHref: String?
        var usersHref: String
        var personLimit: String
        var recordPrice: String
        var memberPrice: String
        /// The address of the list of people who store the most; nil for operators who may not see people.
        var peopleHref: String?
    }

    /// Creators, and record types, on one page.
    private static let pageSize = 25

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let containers = request.service.containers
        let space = try await containers.publicSpace(of: place.container, in: place.environment)
        let files = try await containers.recentUsage(of: place.container, in: place.environment)
        let rows = [
            Self.row("Public records", space.recordBytes, space.recordLimit),
            Self.row("Public files", space.assetBytes, space.assetLimit),
            View.Row(
                what: "Private databases", used: files.map { "\($0.privateDatabases)" } ?? Self.counting,
                limit: "no limit", percent: ""),
            View.Row(
                what: "All databases with their files",
                used: files.map { Self.bytes($0.bytes) } ?? Self.counting, limit: "no limit", percent: ""),
        ]
        let after = request.query.text("after")
        let creators = try await containers.creators(
            of: place.container, in: place.environment, after: after, limit: Self.pageSize + 1)
        let shown = creators.prefix(Self.pageSize)
        let view = View(
            users: try await containers.userCount(of: place.container), rows: rows,
            types: try await Self.types(request, place, of: space),
            creators: shown.map { Self.row($0, of: space) },
            nextHref: creators.count > shown.count
                ? shown.last.map { place.path("usage", [("after", $0.place)]) } : nil,
            firstHref: after == nil ? nil : place.path("usage"),
            usersHref: place.path("users"),
            personLimit: request.service.limits.quota.map { Self.bytes($0.personBytes) } ?? "no limit",
            recordPrice: Self.bytes(PublicSpace.bytesPerRecord),
            memberPrice: Self.bytes(Int64(StoredRecord.bytesPerPerson)),
            peopleHref: request.operatorAccount.role == .admin
                ? Address.path("people") + Address.query([("sort", "size")]) : nil)
        return PageContent(heading: Self.title, html: try Page.html(Template.usage, view))
    }

    /// A slice of the record types, the largest of it first; nil if the store cannot tell their sizes.
    private static func types(
        _ request: ScreenRequest, _ place: ConsolePlace, of space: PublicSpace
    ) async throws -> View.Types? {
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let names = schema.types.keys.sorted { $0.precedesInBytes($1) }
        let slice = ListSlice(names, from: request.query["from"], size: pageSize)
        let known = try await request.service.containers.publicSpace(
            ofTypes: slice.elements, in: place.container, place.environment)
        guard let known else { return nil }
        let all = space.recordBytes.addingSaturated(space.assetBytes)
        let spaces = slice.elements.map { (name: $0, space: known[$0] ?? TypeSpace()) }
            .sorted { $0.space.countedBytes.value > $1.space.countedBytes.value }
        let rows = spaces.map { name, space in
            // An estimate of a part can be larger than the whole.
            let share = all > 0 ? min(1, Double(space.countedBytes.value) / Double(all)) : nil
            return View.TypeRow(
                href: place.path("type", [("name", name)]), typeName: name,
                records: space.records.numberText, recordSize: space.recordBytes.bytesText,
                fileSize: space.assetBytes.bytesText,
                indexSize: space.indexBytes?.bytesText ?? SpaceFigure.unknown,
                share: share.map { BarChart.Unit.share.text($0) } ?? "")
        }
        return View.Types(typeRows: rows, typePages: slice.links(place.path("usage")))
    }

    private static func row(_ creator: CreatorReport, of space: PublicSpace) -> View.CreatorRow {
        let note: String? =
            switch creator.kind {
            case .person: nil
            case .serverKeys: "server-to-server keys"
            case .operators: "operators of the console"
            }
        let all = space.recordBytes.addingSaturated(space.assetBytes)
        return View.CreatorRow(
            userRecord: creator.userRecordName, person: creator.person ?? "", note: note,
            records: creator.records, recordSize: bytes(creator.recordBytes),
            fileSize: bytes(creator.assetBytes),
            share: all > 0 ? BarChart.Unit.share.text(Double(creator.bytes) / Double(all)) : "")
    }

    /// The text that is shown while another request counts the files for the first time.
    private static let counting = "is being counted"

    private static func row(_ what: String, _ used: Int64, _ limit: Int64?) -> View.Row {
        let percent = limit.map { $0 > 0 ? BarChart.Unit.share.text(Double(used) / Double($0)) : "" } ?? ""
        return View.Row(
            what: what, used: bytes(used), limit: limit.map(bytes) ?? "no limit", percent: percent)
    }

    /// A number of bytes with a decimal unit.
    static func bytes(_ count: Int64) -> String {
        let units: [(Int64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
        guard let (size, unit) = units.first(where: { count >= $0.0 }) else { return "\(count) bytes" }
        return "\(count / size).\(count % size * 10 / size) \(unit)"
    }
}
