import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The channel that results go to.
public enum StandardOutput {
    /// Why something could not be written.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// Whoever read has gone, as `head` does; no reason to complain.
        case closed
        /// The system's reason, such as a disk that is full.
        case unwritable(String)

        /// One sentence for people.
        public var description: String {
            switch self {
            case .closed: "nobody reads standard output any more"
            case .unwritable(let reason): "standard output cannot be written: \(reason)"
            }
        }
    }

    /// Makes a reader that has gone an error of `write`, where it would end the process.
    public static func surviveClosedPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes all of a text: to a terminal without control codes other than colours and weights, else as it
    /// is.
    public static func write(_ text: String) throws(Failure) {
        try control(isatty(STDOUT_FILENO) == 1 ? VisibleText.styled(text) : text)
    }

    /// Writes a JSON document and ends the line. Its strings say the same and show as they are written.
    public static func writeJSON(_ bytes: [UInt8]) throws(Failure) {
        try control(VisibleText.json(String(decoding: bytes, as: UTF8.self)) + "\n")
    }

    /// Writes a text with the control codes in it, which must all be our own.
    public static func control(_ text: String) throws(Failure) {
        try write(Array(text.utf8), to: STDOUT_FILENO)
    }

    /// Writes all bytes to a descriptor.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var end = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&end, 1, -1)
            } else if errno != EINTR {
                throw errno == EPIPE ? .closed : .unwritable(String(cString: strerror(errno)))
            }
        }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
        #else
        Foundation.write(descriptor, bytes, count)
        #endif
    }
}
