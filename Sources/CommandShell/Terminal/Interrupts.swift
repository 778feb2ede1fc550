import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// The write end of the pipe for the signal handler, which may access only such an atomic number.
private let signalWriteEnd = Atomic<Int32>(-1)

/// Turns Ctrl-C into cancellation of the running command, or into an event at the prompt. A second Ctrl-C
/// during the same command ends the process.
@MainActor
final class Interrupts {
    /// A descriptor that is readable after Ctrl-C was pressed while no command ran.
    let promptReadEnd: Int32

    private let state: State
    private let source: any DispatchSourceRead

    /// Installs the signal handler. A process has only one. Nil if no pipe can be created.
    init?() {
        var signalPipe: [Int32] = [-1, -1]
        var promptPipe: [Int32] = [-1, -1]
        guard pipe(&signalPipe) == 0, pipe(&promptPipe) == 0 else { return nil }
        for end in signalPipe + promptPipe {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        promptReadEnd = promptPipe[0]
        state = State(signalReadEnd: signalPipe[0], promptWriteEnd: promptPipe[1])
        signalWriteEnd.store(signalPipe[1], ordering: .sequentiallyConsistent)
        let queue = DispatchQueue(label: "interrupts")
        source = DispatchSource.makeReadSource(fileDescriptor: signalPipe[0], queue: queue)
        source.setEventHandler(handler: state.handler)
        source.resume()
        signal(SIGINT) { _ in
            var byte: UInt8 = 1
            _ = write(signalWriteEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
        }
    }

    /// Runs `body` in a task that Ctrl-C cancels.
    func interruptible<T: Sendable>(_ body: @escaping @Sendable () async -> T) async -> T {
        let task = Task.detached { await body() }
        state.begin(cancel: { task.cancel() })
        // A Ctrl-C between reading the line and starting its command cancels the command.
        if State.drain(promptReadEnd) { task.cancel() }
        defer { state.end() }
        return await task.value
    }

    /// Runs a statement in a task that Ctrl-C cancels. If Ctrl-C came too late to cancel the statement, the
    /// outcome still reports it, so that the statements after it do not run.
    func interruptible(
        _ body: @escaping @Sendable () async -> StatementOutcome
    ) async -> StatementOutcome {
        let (outcome, isCancelled) = await interruptible { (await body(), Task.isCancelled) }
        guard isCancelled, outcome.shellError == nil else { return outcome }
        var stopped = outcome
        stopped.shellError = .interrupted
        return stopped
    }

    /// Makes Ctrl-C an event at the prompt while no command runs. Before this call, it ends the process.
    func openPrompt() {
        state.openPrompt()
    }

    /// Sets the clean-up to run when Ctrl-C ends the process.
    func beforeExit(_ cleanUp: @escaping @Sendable () -> Void) {
        state.beforeExit(cleanUp)
    }

    /// Discards a Ctrl-C event at the prompt.
    func drainPrompt() {
        State.drain(promptReadEnd)
    }

    /// The state that the signal queue and the main actor share.
    private final class State: Sendable {
        private struct Running {
            /// Cancels the running command; nil while no command runs.
            var cancel: (@Sendable () -> Void)?
            /// How often Ctrl-C was pressed since the last command began.
            var count = 0
            /// Whether Ctrl-C between commands is an event at the prompt.
            var hasPrompt = false
            /// The clean-up to run before the process ends.
            var cleanUp: (@Sendable () -> Void)?
        }

        private let signalReadEnd: Int32
        private let promptWriteEnd: Int32
        private let running = Mutex(Running())

        init(signalReadEnd: Int32, promptWriteEnd: Int32) {
            self.signalReadEnd = signalReadEnd
            self.promptWriteEnd = promptWriteEnd
        }

        func begin(cancel: @escaping @Sendable () -> Void) {
            running.withLock { running in
                running.cancel = cancel
                running.count = 0
            }
        }

        func end() {
            running.withLock { $0.cancel = nil }
        }

        func openPrompt() {
            running.withLock { $0.hasPrompt = true }
        }

        func beforeExit(_ cleanUp: @escaping @Sendable () -> Void) {
            running.withLock { $0.cleanUp = cleanUp }
        }

        /// The event handler. It is created here, outside the main actor, because the signal queue calls it.
        var handler: @Sendable () -> Void {
            { self.interrupted() }
        }

        private func interrupted() {
            Self.drain(signalReadEnd)
            let now = running.withLock { running in
                running.count += 1
                return running
            }
            guard let cancel = now.cancel else {
                if !now.hasPrompt { Self.leave(now) }
                var byte: UInt8 = 1
                _ = write(promptWriteEnd, &byte, 1)
                return
            }
            if now.count > 1 { Self.leave(now) }
            cancel()
        }

        private static func leave(_ running: Running) -> Never {
            running.cleanUp?()
            _exit(ExitStatus.interrupted.rawValue)
        }

        /// Empties a pipe and returns whether it contained anything.
        @discardableResult
        static func drain(_ descriptor: Int32) -> Bool {
            var bytes: [UInt8] = Array(repeating: 0, count: 64)
            var isEmpty = true
            while read(descriptor, &bytes, bytes.count) > 0 { isEmpty = false }
            return !isEmpty
        }
    }
}
