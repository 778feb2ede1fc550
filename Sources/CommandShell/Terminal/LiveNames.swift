import Dispatch
import Foundation
import Synchronization

/// Looks up the program's names for completion, for at most 400 ms. If the server is slower, there are no
/// candidates.
@MainActor
final class LiveNames {
    private static let timeout = DispatchTimeInterval.milliseconds(400)

    private let runner: StatementRunner
    /// The current lookup. A new lookup cancels it.
    private var lookup: Task<Void, Never>?

    init(of runner: StatementRunner) {
        self.runner = runner
    }

    /// The names of a kind with the typed prefix; empty if they do not arrive in time.
    func names(of kind: ValueKind, at site: CompletionSite) -> [Candidate] {
        lookup?.cancel()
        let answer = Reply()
        lookup = Task.detached { [runner] in
            answer.set(await runner.candidates(for: kind, beginningWith: site.typed, after: site.given))
        }
        return answer.wait(Self.timeout)
    }

    /// The result of a lookup task, for which the main thread waits.
    private final class Reply: Sendable {
        private let isReady = DispatchSemaphore(value: 0)
        private let names = Mutex<[Candidate]>([])

        func set(_ found: [Candidate]) {
            names.withLock { $0 = found }
            isReady.signal()
        }

        func wait(_ timeout: DispatchTimeInterval) -> [Candidate] {
            _ = isReady.wait(timeout: .now() + timeout)
            return names.withLock { $0 }
        }
    }
}
