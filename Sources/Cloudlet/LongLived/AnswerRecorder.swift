import Foundation
internal import RecordsWire

/// Stores the answers to the requests of one long-lived operation, so that a later process need not send them
/// again.
///
/// A request is identified by its path and by the number of earlier requests to that path. A file upload is
/// identified by its complete target, which the server creates for one file only.
final class AnswerRecorder: Sendable {
    private struct State {
        var answers: [String: RecordedAnswer]
        var asked: [String: Int] = [:]
        /// The requests that this process has recorded as sent.
        var sending: Set<String> = []
    }

    private let store: OperationStore
    private let id: String
    private let state: Locked<State>

    init(store: OperationStore, id: String) {
        self.store = store
        self.id = id
        state = Locked(State(answers: store.answers(of: id)))
    }

    /// The identifier of a request that is about to be sent.
    func name(_ request: CloudRequest) -> String {
        if case .file = request.body { return request.target }
        let path = String(request.target.prefix { $0 != "?" })
        return state.withLock { state in
            state.asked[path, default: 0] += 1
            return "\(path)#\(state.asked[path, default: 0])"
        }
    }

    /// The stored answer to a request, and whether the request had been sent more than once.
    func answer(to name: String) -> (response: CloudResponse, isRepeat: Bool)? {
        guard let answer = state.withLock({ $0.answers[name] }), answer.status == 200 else { return nil }
        let lines = answer.headers.filter { $0.count == 2 }
        let response = CloudResponse(
            status: answer.status,
            headers: CloudHeaders(lines.map { CloudHeaders.Line(name: $0[0], value: $0[1]) }),
            body: .bytes(Array(answer.body)))
        return (response, answer.isRepeat ?? false)
    }

    /// Whether the request is on record: an earlier process may have sent it.
    func wasSent(_ name: String) -> Bool {
        state.withLock { $0.answers[name] } != nil
    }

    /// Records that a request may reach the server from now on.
    func recordSending(_ name: String) {
        guard !wasSent(name), state.withLock({ $0.sending.insert(name).inserted }) else { return }
        store.add(RecordedAnswer(request: name, status: 0, headers: [], body: Data()), to: id)
    }

    /// Stores a successful answer. Other answers are not stored, so that the next process sends the request
    /// again.
    func keep(_ response: CloudResponse, as name: String, isRepeat: Bool) {
        guard response.status == 200, case .bytes(let bytes) = response.body else { return }
        let lines = response.headers.filter { $0.name.lowercased() == "content-type" }
        let answer = RecordedAnswer(
            request: name, status: response.status, headers: lines.map { [$0.name, $0.value] },
            body: Data(bytes), isRepeat: isRepeat ? true : nil)
        store.add(answer, to: id)
    }
}
