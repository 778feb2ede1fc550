import Foundation
import Synchronization
import Testing

@testable import ShellKit
@testable import TestKit

/// A program at a pseudo-terminal.
///
/// A test types keys and waits for texts. A text that does not appear in time fails the test.
final class TerminalSession: Sendable {
    /// The time in milliseconds without output after which a wait fails, so that a broken program does not
    /// block the tests.
    private static let timeout: Int32 = 120_000

    private let process: ChildProcess
    private let keyboard: FileHandle
    private let state = Mutex(State())

    private struct State {
        /// The whole output.
        var bytes: [UInt8] = []
        /// The plain output after the last text that was waited for.
        var unseen = PlainOutput()
    }

    /// Starts a program, usually `clown-central`, with its own home folder.
    init(
        _ arguments: [String], home: URL, environment: [String: String] = [:], columns: UInt16 = 80,
        rows: UInt16 = 24, program: String = "clown-central", folder: URL? = nil
    ) throws {
        let (master, name) = try Self.openTerminal(columns: columns, rows: rows)
        let usual = ["TERM": "xterm", "HOME": home.path, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        let words = [try Program.path(program)] + arguments
        let inFolder = folder.map { ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", $0.path] }
        process = try ChildProcess(
            (inFolder ?? []) + words, environment: usual.merging(environment) { $1 }, isSession: true
        ) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
        keyboard = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    }

    /// Writes keys to the terminal.
    func type(_ keys: String) { try? keyboard.write(contentsOf: Data(keys.utf8)) }

    deinit { process.send(SIGKILL) }

    /// Waits until a text appears, and returns the output since the last wait up to its end, without colours
    /// and cursor movements.
    @discardableResult
    func sees(_ text: String) async throws -> String {
        while true {
            if let shown = state.withLock({ $0.unseen.take(through: text) }) { return shown }
            let reading = await readOutput()
            let shown = state.withLock(\.unseen.text)
            try #require(reading == .more, "`\(text)` never came; there is: \(shown)")
        }
    }

    /// Waits for the program's end and returns its exit code. A program that still runs after the time
    /// without output is killed and fails the test.
    func code() async -> Int32 {
        var reading = Reading.more
        while reading == .more { reading = await readOutput() }
        if reading == .silence {
            Issue.record("the program does not end; the last output: \(state.withLock(\.unseen.text))")
            process.send(SIGKILL)
        }
        return await process.code()
    }

    /// The whole output of the program.
    var raw: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

    private enum Reading {
        /// There was output.
        case more
        /// There was no output for the time `timeout`.
        case silence
        /// The program has closed its terminal.
        case end
    }

    private func readOutput() async -> Reading {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                var bytes = [UInt8](repeating: 0, count: 4096)
                var screen = pollfd(fd: keyboard.fileDescriptor, events: Int16(POLLIN), revents: 0)
                let isThere = poll(&screen, 1, Self.timeout) > 0
                let count = isThere ? read(keyboard.fileDescriptor, &bytes, bytes.count) : 0
                if count > 0 {
                    state.withLock { state in
                        state.bytes += bytes[..<count]
                        state.unseen.add(bytes[..<count])
                    }
                }
                continuation.resume(returning: count > 0 ? .more : isThere ? .end : .silence)
            }
        }
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
}
