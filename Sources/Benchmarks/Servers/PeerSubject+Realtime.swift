import Foundation

extension PeerSubject {
    /// Opens `count` streams that report every new record of the collection. Returns when all are connected.
    func streams(_ count: Int) throws -> EventStreams {
        let all = try (0..<count).map { _ in
            try EventStream(
                process.address, LoadRequest("GET", "/api/realtime"), mark: "\"action\":\"create\"")
        }
        let clients = try all.map { stream -> String in
            try stream.waitForBeginning("\"}")
            let text = String(decoding: stream.beginning, as: UTF8.self)
            guard let start = text.range(of: "\"clientId\":\"") else {
                throw BenchmarkError("the peer sent no clientId")
            }
            return String(text[start.upperBound...].prefix { $0 != "\"" })
        }
        let link = client(connections: 1)
        for id in clients {
            let json = "{\"clientId\":\"\(id)\",\"subscriptions\":[\"\(Self.collection)/*\"]}"
            let request = LoadRequest("POST", "/api/realtime", json: json)
            try link.send(request).finish(status: 204)
        }
        return try EventStreams(all)
    }
}
