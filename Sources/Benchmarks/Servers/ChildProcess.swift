import Foundation

/// A child that says where it listens on its first line, and ends when its standard input does.
final class ChildProcess {
    let address: HTTPAddress
    /// From the start of the process to its announcement.
    let secondsToReady: Double
    private let process: Process
    private let input: Pipe
    /// Whether the child ends when its input does; otherwise it is asked to.
    private let endsWithInput: Bool

    /// Starts this very program with other arguments.
    convenience init(arguments: [String]) throws {
        guard let executable = Bundle.main.executableURL else {
            throw BenchmarkError("where is this program?")
        }
        try self.init(executable: executable, arguments: arguments, address: nil)
    }

    /// - Parameters:
    ///   - address: where the child will listen, if it does not announce it.
    ///   - endsWithInput: whether the child ends when its input does.
    init(
        executable: URL, arguments: [String], address: HTTPAddress?, endsWithInput: Bool = true
    ) throws {
        self.endsWithInput = endsWithInput
        process = Process()
        process.executableURL = executable
        process.arguments = arguments
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = address == nil ? output : FileHandle.nullDevice
        let stopwatch = Stopwatch()
        try process.run()
        if let address {
            self.address = address
            try Self.waitUntilListening(address)
        } else {
            let line = Self.firstLine(of: output.fileHandleForReading)
            guard let announced = HTTPAddress(line) else {
                process.terminate()
                throw BenchmarkError("\(arguments.first ?? "the server") did not start: it said '\(line)'")
            }
            self.address = announced
        }
        secondsToReady = stopwatch.seconds
    }

    /// In bytes, now; nil where the system does not tell.
    var residentBytes: Int? { memory(line: "VmRSS:") }

    /// In bytes, the most so far; nil where the system does not tell.
    var peakResidentBytes: Int? { memory(line: "VmHWM:") }

    var isRunning: Bool { process.isRunning }

    func stop() {
        try? input.fileHandleForWriting.close()
        if !endsWithInput, process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    private func memory(line name: String) -> Int? {
        let path = "/proc/\(process.processIdentifier)/status"
        guard let status = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map {
            $0 * 1024
        }
    }

    private static func waitUntilListening(_ address: HTTPAddress) throws {
        for _ in 0..<1000 {
            if (try? LoadConnection(address)) != nil { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        throw BenchmarkError("nothing listens at \(address)")
    }

    private static func firstLine(of file: FileHandle) -> String {
        var line = Data()
        while let byte = try? file.read(upToCount: 1), let byte = byte.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}

// MARK: - The child's side

extension ChildProcess {
    /// Says where the child listens.
    static func announce(_ address: String) {
        FileHandle.standardOutput.write(Data("\(address)\n".utf8))
    }

    /// Returns when the parent has gone or wants the child to end.
    static func standardInputEnded() async {
        await withCheckedContinuation { ended in
            Thread.detachNewThread {
                while let data = try? FileHandle.standardInput.read(upToCount: 1), !data.isEmpty {}
                ended.resume()
            }
        }
    }
}
