import RecordsWire
import Synchronization

/// Keeps what a server answers, so that the same conversation can be had again without it.
final class RecordingTransport: CloudTransport {
    private let server: any CloudTransport
    private let answers = Mutex<[CloudResponse]>([])

    init(_ server: any CloudTransport) {
        self.server = server
    }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let response = try await server.send(request)
        answers.withLock { $0.append(response) }
        return response
    }

    /// What gives the same answers in the same order.
    var replay: ReplayTransport { ReplayTransport(answers.withLock { $0 }) }
}

/// Gives the answers of a conversation to a client that asks the same again.
final class ReplayTransport: CloudTransport {
    private let answers: [CloudResponse]
    private let next = Mutex(0)

    init(_ answers: [CloudResponse]) {
        self.answers = answers
    }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let number = next.withLock { next in
            defer { next += 1 }
            return next
        }
        guard number < answers.count else {
            throw BenchmarkError("the client asks more than it did: \(request.target)")
        }
        return answers[number]
    }
}
