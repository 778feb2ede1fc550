import RecordsWire
import Testing

@Suite("The table of the server's own calls")
struct ServerEndpointTests {
    @Test(
        "Every endpoint is found by its method and path, and by no other method",
        arguments: ServerEndpoint.allCases)
    func found(endpoint: ServerEndpoint) throws {
        let words = endpoint.text.split(separator: " ")
        let found = try #require(ServerEndpoint.find(String(words[0]), String(words[1])))
        #expect(found.endpoint == endpoint)
        for (name, value) in found.parameters { #expect(value == ":\(name)") }
        #expect(ServerEndpoint.find("PUT", String(words[1])) == nil)
        #expect(ServerEndpoint.find(String(words[0]), words[1] + "/more")?.endpoint != endpoint)
    }

    @Test("No two endpoints have the same method and path")
    func distinct() {
        #expect(Set(ServerEndpoint.allCases.map(\.text)).count == ServerEndpoint.allCases.count)
    }

    @Test("Additional slashes are ignored, and parameters stay percent-encoded")
    func slashes() throws {
        let found = try #require(ServerEndpoint.find("GET", "//operator/1//people/a%2Fb/"))
        #expect(found.endpoint == .operator(.readPerson))
        #expect(found.parameters == ["name": "a%2Fb"])
        #expect(ServerEndpoint.find("GET", "/operator") == nil)
        #expect(ServerEndpoint.find("GET", "/") == nil)
    }

    @Test("Only the operator's calls and the metrics need the key")
    func authority() {
        for endpoint in ServerEndpoint.allCases {
            let isForOperators = endpoint.text.contains(" /operator/1/") || endpoint.text == "GET /metrics"
            #expect((endpoint.authority == .operatorKey) == isForOperators, "\(endpoint.text)")
        }
    }

    @Test("The URLs of a device's other calls are derived from its courier URL")
    func couriers() {
        let courier = "https://push.example.org" + PushEndpoint.poll.target(token: "a b")
        #expect(courier == "https://push.example.org/push/poll?tok=a%20b")
        #expect(
            PushEndpoint.stream.address(ofCourier: courier)
                == "https://push.example.org/push/stream?tok=a%20b")
        #expect(PushEndpoint.leave.target(ofCourier: courier) == "/push/leave?tok=a%20b")
        #expect(PushEndpoint.leave.target(ofCourier: "https://push.example.org/x") == nil)
    }
}
