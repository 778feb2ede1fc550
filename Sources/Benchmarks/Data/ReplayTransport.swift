import RecordsWire
import Synchronization

/// Records the responses of a server, so that `replay` can repeat them without it.
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

    /// A transport that returns the recorded responses in the same order.
    var replay: ReplayTransport { ReplayTransport(answers.withLock { $0 }) }
}

/// Returns recorded responses to a client that repeats the same requests.
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
            throw BenchmarkError("the client sent a request that was not recorded: \(request.target)")
        }
        return answers[number]
    }
}
