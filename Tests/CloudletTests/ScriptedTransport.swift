import Cloudlet
import Foundation

/// Answers requests by the end of their path, in the order of its steps.
final class ScriptedTransport: CloudTransport {
    enum Step: Sendable {
        /// A status and a body.
        case answer(Int, String)
        /// A file, for a request that downloads one.
        case file(String)
        case failure(CloudTransportError)
        /// Waits until the task is cancelled.
        case waitForCancellation
    }

    struct Asked: Sendable {
        var target: String
        var body: String
    }

    private actor Script {
        var steps: [(String, Step)]
        var asked: [Asked] = []

        init(_ steps: [(String, Step)]) {
            self.steps = steps
        }

        func next(_ request: CloudRequest) -> Step? {
            var body = ""
            switch request.body {
            case .none: break
            case .bytes(let bytes): body = String(decoding: bytes, as: UTF8.self)
            case .file(let path): body = "file:" + (URL(fileURLWithPath: path).lastPathComponent)
            }
            asked.append(Asked(target: request.target, body: body))
            let path = request.target.split(separator: "?").first.map(String.init) ?? ""
            guard let place = steps.firstIndex(where: { path.hasSuffix($0.0) }) else { return nil }
            return steps.remove(at: place).1
        }
    }

    private let script: Script
    /// Resumed when a request begins to wait.
    let waiting: AsyncStream<Void>
    private let waits: AsyncStream<Void>.Continuation

    init(_ steps: (String, Step)...) {
        script = Script(steps)
        (waiting, waits) = AsyncStream.makeStream()
    }

    var asked: [Asked] {
        get async { await script.asked }
    }

    /// Whether every answer was used.
    var isFinished: Bool {
        get async { await script.steps.isEmpty }
    }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        switch await script.next(request) {
        case .answer(let status, let text):
            return CloudResponse(status: status, body: .bytes(Array(text.utf8)))
        case .file(let text):
            let path = request.saveTo ?? ""
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return CloudResponse(status: 200, body: .file(path: path))
        case .failure(let error): throw error
        case .waitForCancellation:
            let (never, hold) = AsyncStream<Void>.makeStream()
            waits.yield()
            for await _ in never {}
            hold.finish()
            throw CancellationError()
        case nil: return CloudResponse(status: 500, body: .bytes(Array("{}".utf8)))
        }
    }
}

/// Calls a closure of the test with each request before it is sent.
struct WatchedTransport: CloudTransport {
    let way: any CloudTransport
    let look: @Sendable (CloudRequest) async throws -> Void

    init(_ way: any CloudTransport, _ look: @escaping @Sendable (CloudRequest) async throws -> Void) {
        self.way = way
        self.look = look
    }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        try await look(request)
        return try await way.send(request)
    }
}

extension CloudConnection {
    /// A connection with a session, and a clock that never advances.
    static func over(_ transport: any CloudTransport, token: String? = "session") -> CloudConnection {
        CloudConnection(
            transport: transport,
            apiToken: "api",
            webAuthToken: token,
            deviceName: "phone",
            now: { Date(timeIntervalSince1970: 1000) }
        )
    }
}

extension CKContainer {
    /// A container over a transport, with a session.
    static func over(_ transport: any CloudTransport, token: String? = "session") -> CKContainer {
        CKContainer(identifier: "iCloud.test", connection: .over(transport, token: token))
    }

    /// A container over a scripted transport, with a session.
    static func scripted(_ transport: ScriptedTransport, token: String? = "session") -> CKContainer {
        over(transport, token: token)
    }
}

/// A record as JSON in the server's answer.
func answered(_ name: String, tag: String = "1", fields: String = "", extra: String = "") -> String {
    """
    {"recordName":"\(name)","recordType":"Party","recordChangeTag":"\(tag)","fields":{\(fields)},\
    "created":{"timestamp":1000,"userRecordName":"_me","deviceID":"phone"},\
    "modified":{"timestamp":2000,"userRecordName":"_me","deviceID":"phone"}\(extra)}
    """
}
