import Foundation
import Records
import RecordsWire
import Testing

@testable import TestKit

/// A golden exchange: a file of `Data/Wire` with a request and its response.
struct GoldenExchange: Sendable, CustomTestStringConvertible {
    let name: String
    let root: JSONNode

    /// All exchanges, sorted by name.
    static func all() throws -> [GoldenExchange] {
        try URL.package.appending(path: "Data/Wire").files("json").map { file in
            let bytes = [UInt8](try Data(contentsOf: file))
            let name = file.deletingPathExtension().lastPathComponent
            return GoldenExchange(name: name, root: try JSONDocument(bytes).root)
        }
    }

    var testDescription: String { name }
    /// Whether the request is malformed.
    var isMalformed: Bool { name.hasSuffix("malformed") }
    var requestBody: [UInt8] { Array((root["request"]?["body"]?.compact ?? "").utf8) }
    var responseBody: [UInt8] { Array((root["response"]?["body"]?.compact ?? "").utf8) }
    var status: Int { get throws { try root.required("response").required("status").int() } }
    var target: String { get throws { try root.required("request").required("path").string() } }
    var method: String { get throws { try root.required("request").required("method").string() } }

    /// The context with which the server encoded the response.
    var context: AnswerContext {
        let wantsDetails = root["request"]?["headers"]?["X-Cloudlet-Details"] != nil
        let uuid = "6B0C2F7E-57A2-4B60-9E0B-0C7A4D1F2A11"
        return AnswerContext(
            uuid: uuid, addsDetails: wantsDetails, shareAddress: "https://cloud.example/share/"
        ) { _, slot in
            "https://files.example/" + slot.fileChecksum.replacing("=", with: "")
        }
    }

    /// The request's body, decoded and encoded again.
    func reencodedRequest(_ endpoint: Endpoint) throws -> [UInt8] {
        let body = requestBody
        func journey<Request: WireRequest>(_ type: Request.Type) throws -> [UInt8] {
            try Request(bytes: body).encoded()
        }
        switch endpoint {
        case .recordsQuery: return try journey(RecordsQueryRequest.self)
        case .recordsLookup: return try journey(RecordsLookupRequest.self)
        case .recordsModify: return try journey(RecordsModifyRequest.self)
        case .recordsChanges: return try journey(RecordsChangesRequest.self)
        case .recordsResolve, .recordsAccept, .recordsRequestAccess:
            return try journey(RecordsResolveRequest.self)
        case .changesZone: return try journey(ChangesZoneRequest.self)
        case .changesDatabase: return try journey(ChangesDatabaseRequest.self)
        case .zonesLookup: return try journey(ZonesLookupRequest.self)
        case .zonesModify: return try journey(ZonesModifyRequest.self)
        case .zonesChanges: return try journey(ZonesChangesRequest.self)
        case .subscriptionsLookup: return try journey(SubscriptionsLookupRequest.self)
        case .subscriptionsModify: return try journey(SubscriptionsModifyRequest.self)
        case .assetsUpload: return try journey(AssetsUploadRequest.self)
        case .assetsRereference: return try journey(AssetsRereferenceRequest.self)
        case .usersDiscover: return try journey(UsersDiscoverRequest.self)
        case .usersPermission: return try journey(UsersPermission.self)
        default: return body
        }
    }

    /// The response's body as a client decodes it and the server encodes that again; nil for endpoints
    /// without a codec. A nil endpoint is the upload of a file.
    func reencodedResponse(_ endpoint: Endpoint?) throws -> [UInt8]? {
        let body = responseBody
        guard try status == 200 else {
            return try RecordError(status: status, body: body).encoded(in: context)
        }
        switch endpoint {
        case nil: return try SingleFileAnswer(bytes: body).encoded()
        case .recordsQuery, .recordsLookup, .recordsModify, .recordsChanges:
            return reencodedRecords(try RecordsAnswer(bytes: body))
        case .recordsResolve, .recordsAccept: return try reencodedShares(ResolvedShare.entries(bytes: body))
        case .recordsRequestAccess: return try RequestAccessAnswer(bytes: body).encoded(in: context)
        case .changesZone: return reencodedFeeds(try ChangesZoneAnswer(bytes: body))
        case .changesDatabase: return try ChangesDatabaseAnswer(bytes: body).encoded(in: context)
        case .zonesChanges:
            return try ChangesDatabaseAnswer(bytes: body).encoded(in: context, form: .deprecated)
        case .zonesList, .zonesLookup, .zonesModify: return try ZonesAnswer(bytes: body).encoded(in: context)
        case .subscriptionsList, .subscriptionsLookup, .subscriptionsModify:
            return try SubscriptionsAnswer(bytes: body).encoded(in: context, zoneOwner: nil)
        case .assetsUpload: return try AssetsUploadAnswer(bytes: body).encoded()
        case .assetsRereference: return try AssetsRereferenceAnswer(bytes: body).encoded(in: context)
        case .usersCaller: return try UserIdentity(bytes: body).encoded()
        case .usersDiscover: return try UsersAnswer(bytes: body).encoded()
        case .usersPermission: return try UsersPermission(bytes: body).encoded()
        default: return nil
        }
    }

    private func reencodedRecords(_ answer: RecordsAnswer) -> [UInt8] {
        let writer = RecordAnswerWriter(context)
        let speaksOfMore = root["response"]?["body"]?["moreComing"] != nil
        return writer.answer(
            continuationMarker: answer.continuationMarker,
            syncToken: answer.syncToken,
            moreComing: speaksOfMore ? answer.moreComing : nil
        ) { json in
            for record in answer.records { writer.write(record, to: &json) }
        }
    }

    /// The answer about shares. A client that asks for no details finds the root in `rootRecordName`.
    private func reencodedShares(_ shares: [Result<ResolvedShare, RecordError>]) throws -> [UInt8] {
        let path = try RequestPath(path: target)
        let items = try RecordsResolveRequest(bytes: requestBody).items
        let nodes = try root.required("response").required("body").required("results").array()
        #expect(items.count == shares.count)
        var person: String?
        var entries: [RecordsResolveAnswer.Entry] = []
        for ((item, share), node) in zip(zip(items, shares), nodes) {
            switch share {
            case .failure(let error): entries.append((item, .failure(error)))
            case .success(let found):
                #expect(found.container == path.container)
                #expect(found.isOwn == (node["databaseScope"]?.stringValue == "PRIVATE"))
                var terms = try #require(found.share.sharing?.terms)
                let caller = try #require(terms.participants.first { $0.id == terms.callerID })
                person = caller.person
                terms.root = try node.required("rootRecordName").string()
                var share = StoredRecord(answer: found.share)
                share.sharing = .share(terms)
                entries.append(
                    (
                        item,
                        .success(
                            ShareMetadata(
                                zone: found.share.id.zone, share: share,
                                root: found.root.map { StoredRecord(answer: $0) },
                                owner: found.owner.userRecordName, ownerGivenName: found.owner.givenName,
                                ownerFamilyName: found.owner.familyName, participant: caller))
                    ))
            }
        }
        var context = self.context
        context.person = person
        let own = context
        return RecordsResolveAnswer(entries, container: path.container, environment: path.environment)
            .encoded { _ in own }
    }

    private func reencodedFeeds(_ answer: ChangesZoneAnswer) -> [UInt8] {
        let writer = RecordAnswerWriter(context)
        var json = ChangesZoneWriter(context)
        for feed in answer.zones {
            switch feed {
            case .failure(let zone, let error): json.fail(zone ?? .default, error)
            case .page(let page):
                json.begin(page.zone)
                for record in page.records { writer.write(record, to: &json.json) }
                json.end(token: page.token, moreComing: page.moreComing, lastBatch: page.lastBatch)
            }
        }
        json.finish()
        return json.json.bytes
    }
}

extension RecordAnswerWriter {
    /// Encodes the records that a client has decoded, through the form in which stores keep them.
    fileprivate func write(_ answer: RecordAnswer, to json: inout JSONWriter) {
        switch answer {
        case .deleted(let id, nil, _): writeDeleted(id, to: &json)
        case .deleted(let id, let tag, let type): writeTombstone(id, type: type, changeTag: tag, to: &json)
        case .failure(let id, let error): write(error, for: id ?? RecordID(name: "?"), to: &json)
        case .record(let record):
            var writer = self
            let terms = record.sharing?.terms
            writer.context.person = terms?.participants.first { $0.id == terms?.callerID }?.person
            writer.write(StoredRecord(answer: record), to: &json)
        }
    }
}

extension StoredRecord {
    /// A record that a client has decoded, in the form in which stores keep it.
    fileprivate init(answer record: Record) {
        self.init(
            id: record.id,
            type: record.type,
            fields: FieldJSON().encode(record.fields),
            created: record.created ?? Stamp(at: Timestamp(milliseconds: 0), by: "?"),
            modified: record.modified ?? Stamp(at: Timestamp(milliseconds: 0), by: "?"),
            sequence: record.changeTag.flatMap { Int64($0.text, radix: 36) } ?? 0,
            parent: record.parent,
            sharing: record.sharing,
            shortGUID: record.shortGUID
        )
    }
}
