import Foundation

/// A process that a test started.
///
/// It replaces Foundation's `Process`, which watches all children on one run loop, and fails if many
/// short-lived ones run at the same time.
final class ChildProcess: Sendable {
    let identifier: pid_t
    private let ended: AsyncStream<Int32>

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: the program's path and its arguments.
    ///   - environment: the complete environment of the program.
    ///   - isSession: whether it leads a new session, whose terminal is the first one that it opens.
    ///   - connect: sets up its standard input and output.
    init(
        _ words: [String], environment: [String: String], isSession: Bool = false,
        connect: (inout posix_spawn_file_actions_t) -> Void
    ) throws {
        identifier = try Self.spawn(words, environment.map { "\($0)=\($1)" }, isSession, connect)
        let (codes, code) = AsyncStream.makeStream(of: Int32.self)
        ended = codes
        // Its own thread, because processes that run long would use up the threads of a pool.
        Thread.detachNewThread { [identifier] in
            code.yield(Self.wait(for: identifier))
            code.finish()
        }
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Waits for the end. Returns the exit code, or 128 plus the signal that ended the process. Call it only
    /// once.
    func code() async -> Int32 {
        for await code in ended { return code }
        return -1
    }

    private static func wait(for identifier: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? status >> 8 & 0xff : 128 + signal
    }

    /// glibc's POSIX_SPAWN_SETSID, which its headers declare only with _GNU_SOURCE.
    private static let newSession: Int16 = 0x80

    private static func spawn(
        _ words: [String], _ variables: [String], _ isSession: Bool,
        _ connect: (inout posix_spawn_file_actions_t) -> Void
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        connect(&actions)
        // A child that inherits a server's socket would keep its port in use after the server has stopped.
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            if let descriptor = Int32(name), descriptor > 2 {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        }
        // Threads of a pool block signals, and a process may ignore some. A child that inherits this would
        // not end on a signal.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (blocked, usual) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigfillset(&usual)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, isSession ? flags | newSession : flags)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for word in arguments + environment { free(word) } }
        var identifier: pid_t = 0
        let result = posix_spawn(&identifier, words[0], &actions, &attributes, &arguments, &environment)
        guard result == 0 else { throw POSIXError(.init(rawValue: result) ?? .ENOENT) }
        return identifier
    }
}
