import Foundation
import Synchronization
import Testing

@testable import ShellKit

/// The app's program at a terminal of its own.
///
/// It waits for texts; what does not come for long fails the test.
final class TerminalSession: Sendable {
    /// After so many milliseconds of silence the program is taken to hang.
    private static let patience: Int32 = 30_000

    private let identifier: pid_t
    private let keyboard: FileHandle
    private let state = Mutex(State())
    private let ended: AsyncStream<Int32>

    private struct State {
        var bytes: [UInt8] = []
        /// How much of the plain text was waited for already.
        var seen = 0
    }

    /// Starts a program, usually `clown-central`, with a home of its own.
    init(
        _ arguments: [String], home: URL, environment: [String: String] = [:], columns: UInt16 = 80,
        rows: UInt16 = 24, program: String = "clown-central", folder: URL? = nil
    ) throws {
        let (master, name) = try Self.openTerminal(columns: columns, rows: rows)
        let usual = ["TERM": "xterm", "HOME": home.path, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        let variables = usual.merging(environment) { $1 }.map { "\($0)=\($1)" }
        let words = [try Program.path(program)] + arguments
        let inFolder = folder.map { ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", $0.path] }
        identifier = try Self.spawn((inFolder ?? []) + words, variables, at: name)
        keyboard = FileHandle(fileDescriptor: master, closeOnDealloc: true)
        let (codes, code) = AsyncStream.makeStream(of: Int32.self)
        ended = codes
        Thread.detachNewThread { [identifier] in
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            code.yield(status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f)
            code.finish()
        }
    }

    /// Presses keys.
    func type(_ keys: String) { try? keyboard.write(contentsOf: Data(keys.utf8)) }

    deinit { kill(identifier, SIGKILL) }

    /// Waits until that shows, and returns what showed since the last wait, that included. Colours and moves
    /// of the cursor are left out.
    @discardableResult
    func sees(_ text: String) async throws -> String {
        while true {
            let shown = Self.plain(raw)
            let from = shown.index(shown.startIndex, offsetBy: state.withLock { $0.seen })
            if let range = shown.range(of: text, range: from..<shown.endIndex) {
                state.withLock { $0.seen = shown.distance(from: shown.startIndex, to: range.upperBound) }
                return String(shown[from..<range.upperBound])
            }
            try #require(await readMore(), "`\(text)` never came; there is: \(shown[from...])")
        }
    }

    /// The exit code, once the program has ended by itself.
    func code() async -> Int32 {
        while await readMore() {}
        for await code in ended { return code }
        return -1
    }

    /// Everything that the program wrote.
    var raw: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

    private func readMore() async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                var bytes = [UInt8](repeating: 0, count: 4096)
                var screen = pollfd(fd: keyboard.fileDescriptor, events: Int16(POLLIN), revents: 0)
                let isThere = poll(&screen, 1, Self.patience) > 0
                let count = isThere ? read(keyboard.fileDescriptor, &bytes, bytes.count) : 0
                if count > 0 { state.withLock { $0.bytes += bytes[..<count] } }
                continuation.resume(returning: count > 0)
            }
        }
    }

    /// The text without control sequences and carriage returns.
    private static func plain(_ text: String) -> String {
        text.replacing(/\u{1B}\[[0-9;?]*[@A-Za-z]/, with: "").replacing(/[\r\u{7}\u{1}\u{2}]/, with: "")
    }

    private static func openTerminal(columns: UInt16, rows: UInt16) throws -> (Int32, String) {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &slave, nil, nil, &size) == 0, let name = ttyname(slave) else {
            throw POSIXError(.init(rawValue: errno) ?? .ENOTTY)
        }
        defer { close(slave) }
        return (master, String(cString: name))
    }

    /// glibc's POSIX_SPAWN_SETSID, which it shows to GNU programs only.
    private static let newSession: Int16 = 0x80

    /// Starts a program in a session of its own, whose terminal is the one of that name.
    private static func spawn(_ words: [String], _ variables: [String], at terminal: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            guard let descriptor = Int32(name), descriptor > 2 else { continue }
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A session of its own, and the usual answers to signals, which the tests' process may have changed.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for word in arguments + environment { free(word) } }
        var identifier: pid_t = 0
        let result = posix_spawn(&identifier, words[0], &actions, &attributes, &arguments, &environment)
        guard result == 0 else { throw POSIXError(.init(rawValue: result) ?? .ENOENT) }
        return identifier
    }
}
