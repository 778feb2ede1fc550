import Foundation
import RecordsWire

/// A kind of attack. Each is a request, or a way of sending one, that once crashed the server or made it
/// unavailable to others.
enum HostileKind: CaseIterable, Sendable {
    case hugeContentLength
    case manySorts
    case forgedToken
    case manyKeys
    case manyTimes
    case longSearch
    case longSubscription
    case bodyWithoutCredentials
    case unfinishedRequests
    case unreadAnswer
    case repeatedUpload
    case newFields
    case manyStreams
    case hugeBadge
    case hangUp
    case manySessions

    /// Runs one round of the attack. Throws if the server refuses and thereby ends the round.
    func attack(_ client: HostileClient, _ round: Int) throws {
        switch self {
        case .hugeContentLength: try hugeContentLength(client, round)
        case .manySorts: try manySorts(client)
        case .forgedToken: try forgedToken(client, round)
        case .manyKeys: try manyKeys(client)
        case .manyTimes: try manyTimes(client, round)
        case .longSearch: try longSearch(client)
        case .longSubscription: try longSubscription(client, round)
        case .bodyWithoutCredentials: try bodyWithoutCredentials(client)
        case .unfinishedRequests: try unfinishedRequests(client)
        case .unreadAnswer: try unreadAnswer(client)
        case .repeatedUpload: try repeatedUpload(client)
        case .newFields: try newFields(client, round)
        case .manyStreams: try manyStreams(client)
        case .hugeBadge:
            try client.post(client.devicePath("notifications/badge"), #"{"badge":9223372036854775807}"#)
        case .hangUp: try hangUp(client, round)
        case .manySessions: try client.post(SignInByName("mallory"))
        }
    }
}

// MARK: - Numbers and markers

extension HostileKind {
    private func hugeContentLength(_ client: HostileClient, _ round: Int) throws {
        let lengths = [
            "9223372036854775807", "9223372036854775806", "-1", "52428801", "99999999999999999999",
        ]
        let path = try client.uploadPath(round)
        let link = try client.link()
        let type = "application/octet-stream"
        try link.send(client.head(path, length: lengths[round % lengths.count], type: type) + "x")
        _ = link.read()
    }

    private func manySorts(_ client: HostileClient) throws {
        let sorts = String(repeating: #"{"fieldName":"size"},"#, count: 29_999) + #"{"fieldName":"size"}"#
        let marker = Data([1] + [UInt8](repeating: 0, count: 8 + 30_001)).base64EncodedString()
        try client.call(
            "public/records/query",
            #"{"query":{"recordType":"Note","sortBy":[\#(sorts)]},"continuationMarker":"\#(marker)"}"#)
    }

    private func forgedToken(_ client: HostileClient, _ round: Int) throws {
        let bytes = [UInt8]([0x5a, 1]) + (0..<32).map { UInt8(truncatingIfNeeded: $0 &* round) }
        let token = Data(bytes).base64EncodedString()
        try client.call(
            "private/changes/zone",
            #"{"zones":[{"zoneID":{"zoneName":"z0"},"syncToken":"\#(token)"}]}"#)
    }
}

// MARK: - Large requests

extension HostileKind {
    private func manyKeys(_ client: HostileClient) throws {
        let zones = String(repeating: #"{"zoneID":{"zoneName":"z"}},"#, count: 3999)
        let keys = String(repeating: #""k","#, count: 10_000)
        try client.call(
            "private/changes/zone",
            #"{"zones":[\#(zones){"zoneID":{"zoneName":"z"}}],"desiredKeys":[\#(keys)"k"]}"#)
    }

    private func manyTimes(_ client: HostileClient, _ round: Int) throws {
        let zones = (0..<200).map { name in
            #"{"operationType":"create","zone":{"zoneID":{"zoneName":"z\#(round * 200 + name)"}}}"#
        }
        try client.call("private/zones/modify", #"{"operations":[\#(zones.joined(separator: ","))]}"#)
        let times = (0..<(round % 2 == 0 ? 400 : 60)).map { String(1_700_000_000_000 + $0 * 7919) }
        try client.call(
            "private/records/query",
            """
            {"zoneWide":true,"query":{"recordType":"Note","filterBy":[{"systemFieldName":"modifiedTimestamp",\
            "comparator":"IN","fieldValue":{"type":"TIMESTAMP_LIST",\
            "value":[\(times.joined(separator: ","))]}}]}}
            """)
    }

    private func longSearch(_ client: HostileClient) throws {
        let words = (0..<90_000).map { String($0, radix: 36) }.joined(separator: " ")
        try client.call(
            "public/records/query",
            """
            {"query":{"recordType":"Note","filterBy":[{"comparator":"CONTAINS_ANY_TOKENS",\
            "fieldValue":{"type":"STRING","value":"\(words)"}}]}}
            """)
    }

    private func longSubscription(_ client: HostileClient, _ round: Int) throws {
        let size = round % 2 == 0 ? 4_000_000 : 3000
        let text = String(repeating: "x", count: size)
        try client.call(
            "public/subscriptions/modify",
            """
            {"operations":[{"operationType":"create","subscription":{"subscriptionID":"s\(round)",\
            "subscriptionType":"query","firesOn":["create","update"],"query":{"recordType":"Note"},\
            "notificationInfo":{"alertBody":"\(text)"}}}]}
            """)
    }

    private func newFields(_ client: HostileClient, _ round: Int) throws {
        let fields = (0..<(round % 2 == 0 ? 1000 : 90)).map { number in
            #""f\#(client.number)x\#(round)x\#(number)":{"value":1,"type":"INT64"}"#
        }
        try client.call(
            "public/records/modify",
            """
            {"operations":[{"operationType":"create","record":{"recordType":"Wide\(client.number)",\
            "fields":{\(fields.joined(separator: ","))}}}]}
            """)
    }
}

// MARK: - Ways of sending and reading

extension HostileKind {
    private func bodyWithoutCredentials(_ client: HostileClient) throws {
        let path = "/database/1/iCloud.nobody.knows/development/public/records/query"
        let links = try (0..<15).map { _ in try client.link() }
        for link in links { try? link.send(client.head(path, length: "16000000")) }
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 65_536)
        for _ in 0..<200 { for link in links { try link.send(piece) } }
        Thread.sleep(forTimeInterval: 1)
    }

    private func unfinishedRequests(_ client: HostileClient) throws {
        var links: [HostileLink] = []
        for _ in 0..<100 {
            guard let link = try? client.link() else { break }
            try? link.send(
                "POST /database/1/iCloud.x/development/public/records/query HTTP/1.1\r\nHost: x\r\nX: ")
            links.append(link)
        }
        for _ in 0..<5 {
            Thread.sleep(forTimeInterval: 1)
            for link in links { try? link.send("x") }
        }
    }

    private func unreadAnswer(_ client: HostileClient) throws {
        let names = (0..<180).map { #"{"recordName":"big\#($0 % 5)"}"# }.joined(separator: ",")
        let body = #"{"records":[\#(names)]}"#
        let links = try (0..<10).map { _ in try client.link() }
        for link in links {
            try? link.send(
                client.head(client.target("public/records/lookup"), length: "\(body.utf8.count)") + body)
        }
        Thread.sleep(forTimeInterval: 5)
    }

    private func repeatedUpload(_ client: HostileClient) throws {
        let path = try client.uploadPath(0)
        let file = [UInt8](repeating: 7, count: 10_000_000)
        for _ in 0..<4 {
            let link = try client.link(timeoutSeconds: 20)
            try link.send(client.head(path, length: "\(file.count)", type: "application/octet-stream"))
            try link.send(file)
            _ = link.read()
        }
    }

    private func manyStreams(_ client: HostileClient) throws {
        let answer = try client.post(client.devicePath("tokens/create"), "{}")
        let courier = try HostileClient.member("webcourierURL", of: answer)
        guard let path = PushEndpoint.stream.target(ofCourier: courier) else {
            throw BenchmarkError("the answer has no courier URL")
        }
        var links: [HostileLink] = []
        for _ in 0..<100 {
            guard let link = try? client.link() else { break }
            try? link.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            links.append(link)
        }
        Thread.sleep(forTimeInterval: 3)
    }

    private func hangUp(_ client: HostileClient, _ round: Int) throws {
        let link = try client.link()
        let target = client.target("public/records/query")
        if round % 2 == 0 {
            try link.send(client.head(target, length: "5000") + "{")
        } else {
            try link.send(
                "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "zz\r\nno chunk\r\n"
            )
            _ = link.read()
        }
    }
}

extension HostileClient {
    fileprivate func devicePath(_ call: String) -> String {
        target(call).replacingOccurrences(of: "/database/1/", with: "/device/1/")
    }

    /// Requests the upload path for a file.
    fileprivate func uploadPath(_ round: Int) throws -> String {
        let answer = try call(
            "private/assets/upload",
            #"{"tokens":[{"recordName":"r\#(round % 50)","recordType":"Photo","fieldName":"file"}]}"#)
        let address = try Self.member("url", of: answer)
        guard let start = address.range(of: "/assets/") else {
            throw BenchmarkError("the answer has no upload URL")
        }
        return String(address[start.lowerBound...])
    }
}
