import CloudHTTP
import CloudService
import Records
import RecordsWire

/// One record of the person's own private or shared database: its fields, and the participants of its share.
struct OwnRecordScreen: Screen {
    static let title = "My record"

    private struct View: Sendable {
        struct Row: Sendable {
            var field: String
            var text: String
            var links: [PageLink]
            /// The addresses of the files that are images.
            var images: [String]
        }

        /// The address of the page for signing in; nil if the operator has signed in as a person.
        var signInHref: String?
        var recordType = ""
        var backHref = ""
        var rows: [Row] = []
        var system: [SystemRow] = []
        var share: ShareView?
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        guard let caller = try await request.ownCaller() else {
            let view = View(signInHref: place.path("own"))
            return PageContent(heading: Self.title, html: try Page.html(OwnTemplate.ownRecord, view))
        }
        let own = OwnPlace(request.query)
        let record = try await Self.record(request.query["name"] ?? "", in: own, request, caller)
        let ticket = request.ticket(in: own, caller)
        let images = try await ImageScreen.images(in: record.fields, request, ticket)
        var budget = PageTextBudget(bytes: 50_000)
        let rows = record.fields.prefix(100).map { name, field in
            View.Row(
                field: budget.shortened(name, bytes: 100),
                text: field.isEncrypted
                    ? "encrypted"
                    : budget.shortened(ValueText.beginning(of: field.value, bytes: 1000), bytes: 1000),
                links: field.isEncrypted ? [] : links(of: field.value, own, place, ticket),
                images: images.filter { $0.field == name }.sorted { $0.index < $1.index }.map { image in
                    place.path(
                        "image", own.address + [("name", record.id.name)] + image.address)
                })
        }
        let view = View(
            recordType: record.type,
            backHref: place.path("own", own.address + [("type", record.type)]), rows: rows,
            system: SystemRow.all(of: record),
            share: try await share(of: record, own, request, caller).map {
                ShareView($0.name, $0.terms, participants: 50, &budget)
            })
        return PageContent(heading: record.id.name, html: try Page.html(OwnTemplate.ownRecord, view))
    }

    /// A record of the person's own database. A guest sees the change tag as in the answers of the web
    /// services.
    static func record(
        _ name: String, in own: OwnPlace, _ request: ScreenRequest, _ caller: Caller
    ) async throws -> Record {
        let answer = try await request.service.records.lookup(
            [name], zone: own.zone, in: own.scope, by: caller)
        switch answer.results.first {
        case .record(let stored):
            var record = try await request.decoded([stored])[0]
            // The parent of a root lies outside of the share.
            if own.scope == .shared, record.sharing?.shareName != nil { record.parent = nil }
            let cipher = request.service.records.changeNumberCipher(
                in: own.scope, ofOwner: own.zone?.owner, for: caller)
            if let cipher { record.changeTag = record.changeTag.map { cipher.encrypted($0) } }
            return record
        case .failure(_, let error): throw error
        case .deleted, nil:
            throw RecordError(.notFound, "Record not found", culprit: name, nextStep: "query for records")
        }
    }

    /// The share of a record: the record itself if it is a share, the share of which it is the root, or the
    /// share of its whole zone; nil if there is none.
    private func share(
        of record: Record, _ own: OwnPlace, _ request: ScreenRequest, _ caller: Caller
    ) async throws -> (name: String, terms: Share)? {
        if let terms = record.sharing?.terms { return (record.id.name, terms) }
        let name = record.sharing?.shareName ?? Share.zoneWideName
        do {
            let share = try await Self.record(name, in: own, request, caller)
            return share.sharing?.terms.map { (name, $0) }
        } catch let error as RecordError where error.code == .notFound || error.code == .zoneNotFound {
            return nil
        }
    }

    /// Links to the records to which a value refers, and to its files.
    private func links(
        of value: FieldValue, _ own: OwnPlace, _ place: ConsolePlace, _ ticket: FileTicket
    ) -> [PageLink] {
        value.elements.prefix(10).compactMap { element in
            switch element {
            case .reference(let reference):
                PageLink(
                    href: place.path(
                        "own-record",
                        OwnPlace(own.scope, reference.zone ?? own.zone).address
                            + [("name", reference.recordName)]),
                    label: "Go to the record")
            case .asset(let asset):
                PageLink(
                    href: FileLink.href(ticket(asset)), label: "Download \(UsageScreen.bytes(asset.size))")
            default: nil
            }
        }
    }
}

/// Links to the files of records.
enum FileLink {
    /// The address under which the server sends the file of a download ticket.
    static func href(_ ticket: String) -> String { "/assets/\(ticket)" }
}

/// A system field of a record, as a row of a table.
struct SystemRow: Sendable {
    var systemName: String
    var systemText: String

    /// The system fields that a page shows.
    static func all(of record: Record) -> [SystemRow] {
        let stamps = [("Created", record.created), ("Changed", record.modified)]
        var rows = stamps.compactMap { name, stamp in
            stamp.map { SystemRow(systemName: name, systemText: "\(ValueText.text(of: $0.at)) by \($0.by)") }
        }
        if let tag = record.changeTag {
            rows.append(SystemRow(systemName: "Change tag", systemText: tag.text))
        }
        if let parent = record.parent {
            rows.append(SystemRow(systemName: "Parent", systemText: parent))
        }
        return rows
    }
}
