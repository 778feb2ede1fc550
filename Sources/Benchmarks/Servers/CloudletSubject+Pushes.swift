import Foundation
import RecordsWire

/// A signed-in person.
struct Subscriber {
    var credentials: String
}

extension CloudletSubject {
    private static var device: String { "/device/1/\(container)/development" }

    /// Signs in `count` people.
    func people(_ count: Int) throws -> [Subscriber] {
        var people: [Subscriber] = []
        _ = try client(connections: 16).run(
            count: count, keepsBodies: true,
            check: { people.append(Subscriber(credentials: try Self.credentials(in: $0))) },
            request: { LoadRequest(SignInByName("listener\($0)")) }
        )
        return people
    }

    /// Creates subscriptions, one request per person. The closure returns each subscription as JSON.
    func subscribe(_ people: [Subscriber], _ subscriptions: (Int) -> [String]) throws {
        let target = "/database/1/\(Self.container)/development/public/subscriptions/modify"
        _ = try client(connections: 16).run(
            count: people.count, keepsBodies: true,
            check: { body in
                let text = String(decoding: body, as: UTF8.self)
                if text.contains("serverErrorCode") {
                    throw BenchmarkError("a subscription was not saved: \(text)")
                }
            },
            request: { number in
                let operations = subscriptions(number).map {
                    "{\"operationType\":\"create\",\"subscription\":\($0)}"
                }
                return LoadRequest(
                    "POST", "\(target)?\(people[number].credentials)",
                    json: "{\"operations\":[\(operations.joined(separator: ","))]}")
            })
    }

    /// Registers `devices` devices per person. Returns the request targets of their push couriers.
    func couriers(of people: [Subscriber], devices: Int) throws -> [String] {
        struct Answer: Decodable {
            var webcourierURL: String
        }
        var targets: [String] = []
        _ = try client(connections: 16).run(
            count: people.count * devices, keepsBodies: true,
            check: { body in
                let url = try JSONDecoder().decode(Answer.self, from: Data(body)).webcourierURL
                guard let target = PushEndpoint.poll.target(ofCourier: url) else {
                    throw BenchmarkError("the answer has no courier URL: \(url)")
                }
                targets.append(target)
            },
            request: { number in
                LoadRequest(
                    "POST",
                    "\(Self.device)/tokens/create?\(people[number / devices].credentials)",
                    json: "{\"clientId\":\"device\(number % devices)\"}")
            })
        return targets
    }

    /// Opens the stream of each device. Returns when all are connected.
    ///
    /// - Parameter each: The number of consecutive devices that connect from the same address, as one
    ///   person's devices do. The server limits the share of its connections that one address may have.
    func streams(_ couriers: [String], devicesPerAddress each: Int) throws -> EventStreams {
        let all = try couriers.enumerated().map { number, courier in
            try EventStream(
                process.address,
                LoadRequest("GET", PushEndpoint.stream.address(ofCourier: courier)),
                mark: "\"qry\":", from: number / each)
        }
        for stream in all { try stream.waitForBeginning("\r\n\r\n") }
        return try EventStreams(all)
    }

    /// A subscription to every new item, with an alert.
    static let everyItem = """
        {"subscriptionID":"items","subscriptionType":"query","firesOn":["create"],\
        "query":{"recordType":"\(SampleRecord.type)"},"notificationInfo":{"alertBody":"An item"}}
        """
}
