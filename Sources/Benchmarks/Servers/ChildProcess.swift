import Foundation

/// A server in a child process.
final class ChildProcess {
    let address: HTTPAddress
    /// The seconds from the start of the process until it is ready.
    let secondsToReady: Double
    private let process: Process
    private let input: Pipe
    /// Whether closing the child's standard input ends the child; otherwise `stop` terminates it.
    private let endsWithInput: Bool

    /// The way in which a child reports that it listens.
    enum Announcement {
        /// It prints a line with its address.
        case address
        /// It prints a line with its address, then the line `ready`.
        case addressAndReady
        /// It prints nothing. This process connects to the address until that succeeds.
        case none(HTTPAddress)
    }

    /// Starts this program with other arguments.
    convenience init(arguments: [String]) throws {
        guard let executable = Bundle.main.executableURL else {
            throw BenchmarkError("the path of this program is unknown")
        }
        try self.init(executable: executable, arguments: arguments, announcement: .address)
    }

    /// - Parameters:
    ///   - endsWithInput: Whether closing the child's standard input ends the child.
    ///   - environment: The child's environment variables; nil: those of this process.
    init(
        executable: URL, arguments: [String], announcement: Announcement, endsWithInput: Bool = true,
        environment: [String: String]? = nil
    ) throws {
        self.endsWithInput = endsWithInput
        process = Process()
        process.executableURL = executable
        process.arguments = arguments
        if let environment { process.environment = environment }
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        if case .none = announcement { process.standardOutput = FileHandle.nullDevice }
        // Messages on standard error would appear between the figures of the report.
        let errorPipe = Pipe()
        process.standardError = errorPipe
        let stopwatch = Stopwatch()
        try process.run()
        do {
            address = try Self.wait(for: announcement, output.fileHandleForReading)
        } catch {
            process.terminate()
            process.waitUntilExit()
            let message = (try? errorPipe.fileHandleForReading.readToEnd()).map {
                String(decoding: $0, as: UTF8.self)
            }
            throw BenchmarkError(
                "\(arguments.first ?? "the server") did not start: \(error) \(message ?? "")")
        }
        Self.discardOutput(errorPipe.fileHandleForReading)
        secondsToReady = stopwatch.seconds
    }

    private static func wait(for announcement: Announcement, _ output: FileHandle) throws -> HTTPAddress {
        if case .none(let address) = announcement {
            try waitUntilListening(address)
            return address
        }
        let line = line(of: output)
        guard let address = HTTPAddress(line) else { throw BenchmarkError("unexpected output: '\(line)'") }
        if case .addressAndReady = announcement {
            let line = self.line(of: output)
            guard line == "ready" else { throw BenchmarkError("unexpected output: '\(line)'") }
        }
        return address
    }

    /// The resident memory in bytes; nil if the system does not report it.
    var residentBytes: Int? { memory(line: "VmRSS:") }

    /// The highest resident memory so far in bytes; nil if the system does not report it.
    var peakResidentBytes: Int? { memory(line: "VmHWM:") }

    /// The processor time so far in seconds; nil if the system does not report it.
    var processorSeconds: Double? { ProcessorTime.seconds(of: process.processIdentifier) }

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

    /// Reads and discards the output, so that a full pipe never blocks the child.
    private static func discardOutput(_ file: FileHandle) {
        Thread.detachNewThread {
            while let data = try? file.read(upToCount: 4096), !data.isEmpty {}
        }
    }

    private static func line(of file: FileHandle) -> String {
        var line = Data()
        while let byte = try? file.read(upToCount: 1), let byte = byte.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}

// MARK: - The child's side

extension ChildProcess {
    /// Prints the address at which the child listens.
    static func announce(_ address: String) {
        FileHandle.standardOutput.write(Data("\(address)\n".utf8))
    }

    /// Returns when the parent has ended or has closed the child's standard input.
    static func standardInputEnded() async {
        await withCheckedContinuation { ended in
            Thread.detachNewThread {
                while let data = try? FileHandle.standardInput.read(upToCount: 1), !data.isEmpty {}
                ended.resume()
            }
        }
    }
}
