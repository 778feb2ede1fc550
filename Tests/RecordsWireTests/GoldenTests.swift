import Records
import RecordsWire
import Testing

@Suite("Golden exchanges decode and re-encode to themselves")
struct GoldenTests {
    @Test("Requests, read by the server and sent by the client", arguments: try GoldenExchange.all())
    func requests(exchange: GoldenExchange) throws {
        let target = try exchange.target
        guard target.hasPrefix("/") else { return }
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let path = try RequestPath(path: parts[0])
        #expect(path.text == parts[0])
        if parts.count > 1 { #expect(RequestParameters(query: parts[1]).text == parts[1]) }
        #expect(path.endpoint.methods.map(\.rawValue).contains(try exchange.method))
        if exchange.isMalformed {
            let error = #expect(throws: RecordError.self) { try exchange.reencodedRequest(path.endpoint) }
            #expect(try error?.reason == exchange.root["response"]?["body"]?["reason"]?.string())
            #expect(
                try error?.culprit == exchange.root["response"]?["body"]?["cloudlet"]?["culprit"]?.string())
            return
        }
        #expect(text(try exchange.reencodedRequest(path.endpoint)) == text(exchange.requestBody))
    }

    @Test("Responses, written by the server and read by the client", arguments: try GoldenExchange.all())
    func responses(exchange: GoldenExchange) throws {
        let target = try exchange.target
        let path = target.prefix { $0 != "?" }
        let endpoint = target.hasPrefix("/") ? try RequestPath(path: String(path)).endpoint : nil
        let again = try #require(try exchange.reencodedResponse(endpoint))
        #expect(text(again) == text(exchange.responseBody))
    }

    @Test("There is an exchange for every endpoint that has a codec")
    func coverage() throws {
        let covered = Set(
            try GoldenExchange.all().compactMap { exchange -> Endpoint? in
                let path = try exchange.target.prefix { $0 != "?" }
                return try? RequestPath(path: String(path)).endpoint
            }
        )
        let expected: Set<Endpoint> = [
            .recordsQuery, .recordsLookup, .recordsModify, .recordsChanges, .recordsResolve, .recordsAccept,
            .recordsRequestAccess, .changesZone, .changesDatabase, .zonesList,
            .zonesLookup, .zonesModify, .zonesChanges, .assetsUpload, .assetsRereference, .usersCaller,
            .subscriptionsList, .subscriptionsLookup, .subscriptionsModify,
            .usersDiscover, .usersPermission,
        ]
        #expect(expected.subtracting(covered).isEmpty)
    }

    @Test("There is an exchange for the calls of the shared database, each with the owner of its zone")
    func shared() throws {
        var covered: Set<Endpoint> = []
        for exchange in try GoldenExchange.all() {
            let target = try exchange.target
            guard target.hasPrefix("/") else { continue }
            let path = try RequestPath(path: String(target.prefix { $0 != "?" }))
            guard path.database == .shared else { continue }
            covered.insert(path.endpoint)
            let ofDatabase: [Endpoint] = [
                .zonesList, .changesDatabase, .zonesChanges, .subscriptionsList, .subscriptionsLookup,
            ]
            let isOfZone = !ofDatabase.contains(path.endpoint)
            #expect(isOfZone == text(exchange.requestBody).contains("ownerRecordName"), "\(exchange.name)")
            let withoutZone: [Endpoint] = [
                .assetsUpload, .assetsRereference, .subscriptionsList, .subscriptionsLookup,
                .subscriptionsModify,
            ]
            let namesZone = !withoutZone.contains(path.endpoint)
            #expect(namesZone == text(exchange.responseBody).contains("ownerRecordName"), "\(exchange.name)")
        }
        let expected: Set<Endpoint> = [
            .zonesList, .zonesLookup, .changesDatabase, .changesZone, .recordsQuery, .recordsLookup,
            .recordsModify, .recordsChanges, .zonesChanges, .assetsUpload, .assetsRereference,
            .subscriptionsList, .subscriptionsLookup, .subscriptionsModify,
        ]
        #expect(covered == expected)
    }
}
