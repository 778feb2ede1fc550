import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

/// A request whose numbers the test replaces by extreme ones, one at a time.
private struct NumberedRequest: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The endpoint below container and environment, or a path that begins with a slash.
    var endpoint: String
    var body: JSON

    static let container = "iCloud.org.example.clowns"

    /// The requests of all golden exchanges.
    static func golden() throws -> [NumberedRequest] {
        try URL.package.appending(path: "Data/Wire").files("json")
            .compactMap { file in
                let request = try JSON([UInt8](try Data(contentsOf: file)))["request"]
                let path = (request["path"].text ?? "").prefix { $0 != "?" }.split(separator: "/")
                guard path.first == "database", path.count > 4, case .object = request["body"] else {
                    return nil
                }
                return NumberedRequest(
                    testDescription: file.deletingPathExtension().lastPathComponent,
                    endpoint: path.dropFirst(4).joined(separator: "/"), body: request["body"])
            }
    }

    /// Requests with numbers that no golden exchange has.
    static let others: [NumberedRequest] = {
        let fields: JSON = [
            "i": ["value": 1, "type": "INT64"], "d": ["value": 1.5, "type": "DOUBLE"],
            "t": ["value": 1_718_200_000_000, "type": "TIMESTAMP"], "bare": 5,
            "at": [
                "value": [
                    "latitude": 1.5, "longitude": 2.5, "altitude": 3.5, "horizontalAccuracy": 4.5,
                    "verticalAccuracy": 5.5, "course": 6.5, "speed": 7.5, "timestamp": 1_718_200_000_000,
                ], "type": "LOCATION",
            ],
            "ints": ["value": [1, 2], "type": "INT64_LIST"],
            "times": ["value": [1, 2], "type": "TIMESTAMP_LIST"],
        ]
        let zone: JSON = ["zoneName": "Notes"]
        func filter(_ name: String, _ comparator: String, _ value: JSON, system: Bool = false) -> JSON {
            let key = system ? "systemFieldName" : "fieldName"
            return [
                key: .string(name), "comparator": .string(comparator), "fieldValue": value,
                "distance": 1000.5,
            ]
        }
        func query(_ title: String, _ filters: [JSON], sort: [JSON] = []) -> NumberedRequest {
            NumberedRequest(
                testDescription: "query \(title)", endpoint: "private/records/query",
                body: [
                    "query": ["recordType": "Ends", "filterBy": .array(filters), "sortBy": .array(sort)],
                    "zoneID": zone, "resultsLimit": 10, "numbersAsStrings": true,
                ])
        }
        let time: JSON = ["value": 1_718_200_000_000, "type": "TIMESTAMP"]
        let place: JSON = ["value": ["latitude": 1.5, "longitude": 2.5], "type": "LOCATION"]
        return [
            NumberedRequest(
                testDescription: "fields", endpoint: "private/records/modify",
                body: [
                    "operations": [
                        [
                            "operationType": "forceReplace",
                            "record": ["recordName": "ends", "recordType": "Ends", "fields": fields],
                        ]
                    ], "zoneID": zone,
                ]),
            NumberedRequest(
                testDescription: "file", endpoint: "private/records/modify",
                body: batch([
                    create(
                        "file", type: "Ends",
                        [
                            "file": [
                                "value": ["fileChecksum": "AAAA", "size": 12, "receipt": "x"],
                                "type": "ASSETID",
                            ]
                        ])
                ])),
            query(
                "ints", ["EQUALS", "LESS_THAN", "GREATER_THAN_OR_EQUALS"].map { filter("i", $0, number(1)) }),
            query("doubles", [filter("d", "GREATER_THAN", ["value": 1.5, "type": "DOUBLE"])]),
            query("times", ["EQUALS", "LESS_THAN_OR_EQUALS", "GREATER_THAN"].map { filter("t", $0, time) }),
            query(
                "system times",
                [
                    "EQUALS", "NOT_EQUALS", "LESS_THAN", "LESS_THAN_OR_EQUALS", "GREATER_THAN",
                    "GREATER_THAN_OR_EQUALS",
                ].map { filter("createdTimestamp", $0, time, system: true) }),
            query(
                "changes",
                [
                    filter(
                        "modifiedTimestamp", "IN", ["value": [1, 2], "type": "TIMESTAMP_LIST"], system: true)
                ]),
            query("lists", [filter("ints", "LIST_CONTAINS_ANY", ["value": [1, 2], "type": "INT64_LIST"])]),
            query(
                "places", [filter("at", "NEAR", place)],
                sort: [["fieldName": "at", "relativeLocation": ["latitude": 1.5, "longitude": 2.5]]]),
            NumberedRequest(
                testDescription: "zone list", endpoint: "private/zones/list", body: ["resultsLimit": 1]),
            NumberedRequest(
                testDescription: "database feed", endpoint: "private/changes/database",
                body: ["resultsLimit": 1]),
            NumberedRequest(
                testDescription: "older database feed", endpoint: "private/zones/changes",
                body: ["resultsLimit": 1]),
            NumberedRequest(
                testDescription: "older zone feed", endpoint: "private/records/changes",
                body: ["zoneID": zone, "resultsLimit": 1]),
            NumberedRequest(
                testDescription: "zone feeds", endpoint: "private/changes/zone",
                body: [
                    "zones": [["zoneID": zone, "resultsLimit": 1], ["zoneID": zone, "reverse": true]],
                    "resultsLimit": 2,
                ]),
            NumberedRequest(
                testDescription: "uploads", endpoint: "private/assets/upload",
                body: [
                    "tokens": [
                        ["recordType": "Ends", "fieldName": "file", "fileChecksum": "AAAA", "size": 10]
                    ]
                ]),
            NumberedRequest(
                testDescription: "subscription", endpoint: "private/subscriptions/modify",
                body: [
                    "operations": [
                        [
                            "operationType": "create",
                            "subscription": [
                                "subscriptionID": "s", "subscriptionType": "query", "zoneID": zone,
                                "firesOn": ["create", "update"],
                                "query": [
                                    "recordType": "Ends",
                                    "filterBy": [
                                        filter("i", "GREATER_THAN", number(1)),
                                        filter("t", "LESS_THAN", time),
                                        filter("at", "NEAR", place),
                                    ],
                                ],
                            ],
                        ]
                    ]
                ]),
            NumberedRequest(
                testDescription: "notifications", endpoint: "/notifications/changes",
                body: ["resultsLimit": 1]),
            NumberedRequest(testDescription: "badge", endpoint: "/badge", body: ["badge": 1]),
        ]
    }()
}

extension JSON {
    /// Copies of this value in which one number, or text with a number, is replaced by one of `others`, as
    /// number and as text.
    fileprivate func driven(to others: [JSON]) -> [JSON] {
        switch self {
        case .integer, .double: return others + others.compactMap(\.asText)
        case .string(let text) where Double(text) != nil: return others + others.compactMap(\.asText)
        case .array(let elements):
            return elements.indices.flatMap { index in
                elements[index].driven(to: others).map { changed in
                    var copy = elements
                    copy[index] = changed
                    return .array(copy)
                }
            }
        case .object(let members):
            return members.keys.sorted().flatMap { key in
                (members[key] ?? .null).driven(to: others).map { self.with([key: $0]) }
            }
        default: return []
        }
    }

    private var asText: JSON? {
        (try? encoded()).map { .string(String(decoding: $0, as: UTF8.self)) }
    }
}

@Suite("Extreme numbers in requests", .timeLimit(.minutes(30)))
struct NumberEndsTests {
    private static let ends: [JSON] = [
        .integer(.min), .integer(.min + 1), -1, 0, .integer(.max - 1), .integer(.max), .double(1e308),
        .double(-1e308), .double(-0.0), .double(9_223_372_036_854_775_808),
    ]

    /// A person with records that have all kinds of numbers.
    private static func person(in world: ServerWorld) async throws -> Person {
        let paul = try await world.signIn("paul", container: NumberedRequest.container)
        for (endpoint, body) in [
            ("private/zones/modify", zones(create: ["Notes", "Trips"])),
            ("private/records/modify", NumberedRequest.others[0].body),
            ("private/records/modify", batch([create("n0", type: "Note")], zone: "Notes")),
        ] {
            let reply = try await world.call(endpoint, body, as: paul, container: NumberedRequest.container)
            #expect(reply.status == 200, "\(reply.text)")
        }
        return paul
    }

    private static func check(_ reply: Reply, _ asked: String) {
        #expect((200..<500).contains(reply.status), "\(asked): \(reply.text)")
        #expect(!reply.text.contains("INTERNAL_ERROR"), "\(asked): \(reply.text)")
    }

    @Test(
        "The server answers requests with extreme numbers, with a success or a refusal, and continues to run",
        arguments: try NumberedRequest.golden() + NumberedRequest.others)
    fileprivate func bodies(request: NumberedRequest) async throws {
        try await withServer(.loopback) { world in
            let paul = try await Self.person(in: world)
            let target =
                request.endpoint.hasPrefix("/")
                ? "/device/1/\(NumberedRequest.container)/development\(request.endpoint)"
                    + "?ckWebAuthToken=\(paul.token)"
                : ServerWorld.target(request.endpoint, as: paul, container: NumberedRequest.container)
            for body in request.body.driven(to: Self.ends) {
                let bytes = try body.encoded()
                Self.check(
                    try await world.send("POST", target, body: bytes), String(decoding: bytes, as: UTF8.self))
            }
            // The saved records can be read, and the feeds can be read to their ends.
            for (endpoint, body) in [
                (
                    "private/records/query",
                    ["query": ["recordType": "Ends"], "zoneID": ["zoneName": "Notes"]]
                ),
                ("private/changes/zone", ["zones": [["zoneID": ["zoneName": "Notes"]]]]),
                ("private/changes/database", [:]), ("private/subscriptions/list", [:]),
            ] as [(String, JSON)] {
                let reply = try await world.call(
                    endpoint, body, as: paul, container: NumberedRequest.container)
                #expect(reply.status == 200, "\(endpoint): \(reply.text)")
                Self.check(reply, endpoint)
            }
        }
    }

    @Test("The server also answers extreme numbers in headers and URLs")
    func headers() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let file = try await world.upload(Array("0123456789".utf8), record: "p", as: alice)
            let saved = try await world.modify("public", [world.photo("p", file)], as: alice)
            let address = try #require(
                saved.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
            let numbers = try Self.ends.map { String(decoding: try $0.encoded(), as: UTF8.self) }
            for number in numbers {
                for range in [
                    "bytes=\(number)-", "bytes=-\(number)", "bytes=0-\(number)", "bytes=\(number)-\(number)",
                ] {
                    Self.check(try await world.send("GET", address, headers: ["Range": range]), range)
                }
                let token = alice.token
                for parameters in [
                    "ckWebAuthToken=\(number)", "getCurrentSyncToken=\(number)&ckWebAuthToken=\(token)",
                    "clientId=\(number)&ckWebAuthToken=\(token)", "ckAPIToken=\(number)",
                ] {
                    let target = "/database/1/iCloud.test/development/public/records/query?\(parameters)"
                    let body: JSON = ["query": ["recordType": "Photo"]]
                    Self.check(try await world.send("POST", target, body: body.encoded()), parameters)
                }
                let signed: CloudHeaders = [
                    "X-Apple-CloudKit-Request-KeyID": "\(number)",
                    "X-Apple-CloudKit-Request-ISO8601Date": "\(number)",
                    "X-Apple-CloudKit-Request-SignatureV1": "\(number)",
                ]
                Self.check(
                    try await world.call(
                        "public/records/query", ["query": ["recordType": "Photo"]], headers: signed),
                    "signed \(number)")
                Self.check(try await world.send("GET", "/push/poll?tok=\(number)"), "poll \(number)")
            }
            #expect(try await world.lookup("public", "p").records == ["ok"])
        }
    }

    @Test("The server also answers extreme numbers in calls that set rates and faults")
    func development() async throws {
        let calls: [(String, JSON)] = [
            ("/dev/rate", ["requests": 5, "seconds": 5]),
            ("/dev/faults", ["add": ["name": "throttled", "first": 1, "count": 1, "seconds": 1]]),
            ("/dev/faults", ["remove": 1]),
        ]
        try await withServer(.loopback) { world in
            for (target, body) in calls {
                for changed in body.driven(to: Self.ends) {
                    let bytes = try changed.encoded()
                    Self.check(
                        try await world.send("POST", target, body: bytes),
                        "\(target) \(String(decoding: bytes, as: UTF8.self))")
                    #expect(try await world.send("GET", "/limits").status == 200)
                }
            }
        }
    }
}
