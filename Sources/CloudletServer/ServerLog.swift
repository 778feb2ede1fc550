package import CloudHTTP
import Foundation
import Logging
import RecordsWire

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The settings for a server's log on standard error.
package struct ServerLog: Sendable {
    /// The format of a line.
    package enum Format: String, Sendable, CaseIterable {
        case text
        /// One JSON object per line.
        case json
    }

    /// The lowest level of the lines that are logged.
    package enum Level: String, Sendable, CaseIterable {
        case error
        /// Also refused requests, for example because of a full disk or throttled sign-ins.
        case warning
        /// Also a line for each request.
        case info
        case debug
    }

    package var level = Level.warning
    package var format = Format.text
    package var addresses = LoggedAddresses.network

    /// - Parameters:
    ///   - level: One of `levels`. Any other text, or nil, selects the default.
    ///   - format: One of `formats`, likewise.
    ///   - addresses: One of `addressForms`, likewise.
    package init(level: String? = nil, format: String? = nil, addresses: String? = nil) {
        if let chosen = level.flatMap({ Level(rawValue: $0) }) { self.level = chosen }
        if let chosen = format.flatMap({ Format(rawValue: $0) }) { self.format = chosen }
        if let chosen = addresses.flatMap({ LoggedAddresses(rawValue: $0) }) { self.addresses = chosen }
    }

    /// Logs a message of the program that runs the server as a JSON object, independent of the log's level.
    /// Returns false, and logs nothing, if the format is text; the program then prints the message itself.
    package func logAsJSON(_ message: String, as level: Level) -> Bool {
        guard format == .json else { return false }
        var logger = Logger(label: "cloudlet") { _ in JSONLogHandler(now: { Date() }, write: writeLine) }
        logger.logLevel = .debug
        logger.log(level: level.ofLogger, "\(message)")
        return true
    }

    package static var levels: [String] { Level.allCases.map(\.rawValue) }
    package static var formats: [String] { Format.allCases.map(\.rawValue) }
    package static var addressForms: [String] { LoggedAddresses.allCases.map(\.rawValue) }
}

extension ServerConfiguration {
    /// Logs to standard error with these settings.
    package mutating func log(_ log: ServerLog) {
        loggedAddresses = log.addresses
        switch log.format {
        case .text: logger = Logger(label: "cloudlet") { StreamLogHandler.standardError(label: $0) }
        case .json:
            logger = Logger(label: "cloudlet") { _ in
                JSONLogHandler(now: { Date() }, write: writeLine)
            }
        }
        logger.logLevel = log.level.ofLogger
    }
}

extension ServerLog.Level {
    fileprivate var ofLogger: Logger.Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        case .debug: .debug
        }
    }
}

/// Writes each line of a log as a JSON object with the members `time`, `level` and `message`, and with the
/// metadata as further members. Metadata with the names `time`, `level` and `message` is left out.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    init(now: @escaping @Sendable () -> Date, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.now = now
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        json.member("level", event.level.rawValue)
        json.member("message", event.message.description)
        let allMetadata = metadata.merging(event.metadata ?? [:]) { $1 }
        for (name, value) in allMetadata.sorted(by: { $0.key < $1.key })
        where !Self.reservedNames.contains(name) {
            json.key(name)
            Self.append(value, to: &json)
        }
        json.endObject()
        write(json.bytes + [UInt8(ascii: "\n")])
    }

    private static let reservedNames: Set<String> = ["time", "level", "message"]

    private static func append(_ value: Logger.Metadata.Value, to json: inout JSONWriter) {
        switch value {
        case .stringConvertible(let number as Int): json.integer(Int64(number))
        case .stringConvertible(let number as Double): json.double(number)
        default: json.string("\(value)")
        }
    }
}

/// Writes a line to standard error, normally with one system call, so that the lines of several threads do
/// not mix. Ignores errors.
@Sendable private func writeLine(_ line: [UInt8]) {
    line.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
