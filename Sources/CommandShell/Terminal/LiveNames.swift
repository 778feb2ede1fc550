import Dispatch
import Foundation
import Synchronization

/// Looks names up for a moment at most; a slow server costs the completion and nothing else.
@MainActor
final class LiveNames {
    private static let patience = DispatchTimeInterval.milliseconds(400)

    private let runner: StatementRunner
    /// The one look-up that may be under way; a new one cancels it.
    private var lookup: Task<Void, Never>?

    init(of runner: StatementRunner) {
        self.runner = runner
    }

    /// The names of a kind that begin with what is typed, or none when they do not come in time.
    func names(of kind: ValueKind, at site: CompletionSite) -> [Candidate] {
        lookup?.cancel()
        let answer = Reply()
        lookup = Task.detached { [runner] in
            answer.set(await runner.candidates(for: kind, beginningWith: site.typed, behind: site.given))
        }
        return answer.wait(Self.patience)
    }

    /// A place that one task fills while the main thread waits for it.
    private final class Reply: Sendable {
        private let isThere = DispatchSemaphore(value: 0)
        private let names = Mutex<[Candidate]>([])

        func set(_ found: [Candidate]) {
            names.withLock { $0 = found }
            isThere.signal()
        }

        func wait(_ patience: DispatchTimeInterval) -> [Candidate] {
            _ = isThere.wait(timeout: .now() + patience)
            return names.withLock { $0 }
        }
    }
}
