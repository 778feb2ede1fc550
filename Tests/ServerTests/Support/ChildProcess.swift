import Foundation

/// A process that a test started.
///
/// Foundation's `Process` watches all children on one run loop, which does not bear many short ones at once.
final class ChildProcess: Sendable {
    let identifier: pid_t
    /// What it says; to be read on a thread that may wait.
    let output: FileHandle
    let errors: FileHandle
    private let ended: AsyncStream<Int32>

    /// Starts a program. Nothing of the environment is handed on but what is named.
    ///
    /// - Parameter input: what its standard input holds.
    init(_ program: String, _ arguments: [String], keeping names: [String], input: String = "") throws {
        let (stdin, stdout, stderr) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        let own = ProcessInfo.processInfo.environment
        let environment = names.compactMap { name in own[name].map { "\(name)=\($0)" } }
        identifier = try Self.spawn(
            program, arguments, environment, [stdin.read, stdout.write, stderr.write])
        for descriptor in [stdin.read, stdout.write, stderr.write] { close(descriptor) }
        output = FileHandle(fileDescriptor: stdout.read, closeOnDealloc: true)
        errors = FileHandle(fileDescriptor: stderr.read, closeOnDealloc: true)
        let bytes = Array(input.utf8)
        _ = write(stdin.write, bytes, bytes.count)
        close(stdin.write)
        let (codes, code) = AsyncStream.makeStream(of: Int32.self)
        ended = codes
        // A thread of its own: those of a pool would be used up by processes that take long.
        Thread.detachNewThread { [identifier] in
            code.yield(Self.wait(for: identifier))
            code.finish()
        }
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// The exit code, 128 and the signal for a process that one ended; to be asked for once.
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

    /// Both ends close when another program takes over, so that no sibling keeps them open.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EMFILE)
        }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String], _ standard: [Int32]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in standard.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // A child that held a socket of a server here would keep its port open when the server has stopped.
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            if let descriptor = Int32(name), descriptor > 2 {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        }
        // Threads of a pool block signals; a child that inherited that would not end when it is told to.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var identifier: pid_t = 0
        let result = posix_spawn(&identifier, program, &actions, &attributes, &words, &variables)
        guard result == 0 else { throw POSIXError(.init(rawValue: result) ?? .ENOENT) }
        return identifier
    }
}
