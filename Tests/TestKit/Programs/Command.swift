import Foundation
import Synchronization
import Testing

/// A running program with its standard input and output; usually `cloudlet`.
final class Command: Sendable {
    private let process: ChildProcess
    private let output: Lines
    private let errors: Lines

    convenience init(_ arguments: String...) throws { try self.init(arguments) }

    /// Starts `cloudlet`.
    ///
    /// - Parameter input: the contents of its standard input.
    convenience init(_ arguments: [String], input: String = "") throws {
        try self.init(executable: try Program.path("cloudlet"), arguments, input: input)
    }

    /// Starts any program. It inherits only `PATH` and `HOME` from the environment.
    init(executable: String, _ arguments: [String], input: String = "") throws {
        let (stdin, stdout, stderr) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        let own = ProcessInfo.processInfo.environment
        process = try ChildProcess(
            [executable] + arguments,
            environment: own.filter { ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"].contains($0.key) }
        ) { actions in
            for (number, descriptor) in [stdin.read, stdout.write, stderr.write].enumerated() {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            }
        }
        for descriptor in [stdin.read, stdout.write, stderr.write] { close(descriptor) }
        output = Lines(FileHandle(fileDescriptor: stdout.read, closeOnDealloc: true))
        errors = Lines(FileHandle(fileDescriptor: stderr.read, closeOnDealloc: true))
        let bytes = Array(input.utf8)
        _ = write(stdin.write, bytes, bytes.count)
        close(stdin.write)
    }

    /// Waits until standard output contains a text. Returns the output so far.
    func waitForOutput(_ line: String) async throws -> String { try await output.until(line) }

    /// Waits until standard error contains a text. Returns the output so far.
    func waitForErrors(_ line: String) async throws -> String { try await errors.until(line) }

    /// The address that `cloudlet serve` prints before the line `ready`.
    func address() async throws -> URL {
        let text = try await waitForOutput("ready\n")
        let url = text.split(separator: "\n").first.flatMap { URL(string: String($0)) }
        return try #require(url, "no server started: \(text)")
    }

    func send(_ signal: Int32) { process.send(signal) }

    /// Sends a signal to the command and waits for its end.
    func stop(_ signal: Int32 = SIGTERM) async -> Program.End {
        send(signal)
        return await end()
    }

    /// Waits for the end.
    func end() async -> Program.End {
        async let (output, errors) = (output.all(), errors.all())
        return Program.End(code: await process.code(), output: await output, errors: await errors)
    }

    /// Both ends are close-on-exec, so that no other child process keeps them open.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EMFILE)
        }
        return (ends[0], ends[1])
    }
}

/// The text of a pipe, read on threads that may block.
private final class Lines: Sendable {
    private let handle: FileHandle
    private let text = Mutex("")

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    /// Waits until the text contains `mark`. Returns the text so far.
    func until(_ mark: String) async throws -> String {
        while true {
            let text = text.withLock { $0 }
            if text.contains(mark) { return text }
            try #require(await readMore(), "the command ended after: \(text)")
        }
    }

    /// The whole text, after its end.
    func all() async -> String {
        while await readMore() {}
        return text.withLock { $0 }
    }

    private func readMore() async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                let data = handle.availableData
                text.withLock { $0 += String(decoding: data, as: UTF8.self) }
                continuation.resume(returning: !data.isEmpty)
            }
        }
    }
}
