import Foundation
internal import RecordsWire

/// Remembers the answers to the requests of one long-lived operation.
///
/// Requests are told apart by their path and how many went there before; sendings of files by their whole
/// address, which the server makes for one file alone.
final class AnswerRecorder: Sendable {
    private struct State {
        var answers: [String: RecordedAnswer]
        var asked: [String: Int] = [:]
        /// What was written down as sent, by this process.
        var noted: Set<String> = []
    }

    private let shelf: OperationShelf
    private let id: String
    private let state: Locked<State>

    init(shelf: OperationShelf, id: String) {
        self.shelf = shelf
        self.id = id
        state = Locked(State(answers: shelf.answers(of: id)))
    }

    /// Names a request that is about to be sent.
    func name(_ request: CloudRequest) -> String {
        if case .file = request.body { return request.target }
        let path = String(request.target.prefix { $0 != "?" })
        return state.withLock { state in
            state.asked[path, default: 0] += 1
            return "\(path)#\(state.asked[path, default: 0])"
        }
    }

    /// The answer that was had, and whether it was one to a repetition.
    func answer(to name: String) -> (response: CloudResponse, isRepeat: Bool)? {
        guard let answer = state.withLock({ $0.answers[name] }), answer.status == 200 else { return nil }
        let lines = answer.headers.filter { $0.count == 2 }
        let response = CloudResponse(
            status: answer.status,
            headers: CloudHeaders(lines.map { CloudHeaders.Line(name: $0[0], value: $0[1]) }),
            body: .bytes(Array(answer.body)))
        return (response, answer.isRepeat ?? false)
    }

    /// Whether an earlier process may have sent the request.
    func wasSent(_ name: String) -> Bool {
        state.withLock { $0.answers[name] } != nil
    }

    /// Writes down that a request may reach the server from now on.
    func note(sending name: String) {
        guard !wasSent(name), state.withLock({ $0.noted.insert(name).inserted }) else { return }
        shelf.add(RecordedAnswer(request: name, status: 0, headers: [], body: Data()), to: id)
    }

    /// Keeps an answer that settles something; one that only asks for patience is asked for again.
    func keep(_ response: CloudResponse, as name: String, isRepeat: Bool) {
        guard response.status == 200, case .bytes(let bytes) = response.body else { return }
        let lines = response.headers.filter { $0.name.lowercased() == "content-type" }
        let answer = RecordedAnswer(
            request: name, status: response.status, headers: lines.map { [$0.name, $0.value] },
            body: Data(bytes), isRepeat: isRepeat ? true : nil)
        shelf.add(answer, to: id)
    }
}
