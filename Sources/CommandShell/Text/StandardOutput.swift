import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Standard output, for results.
public enum StandardOutput {
    /// Why a write failed.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The reader has closed the pipe, as `head` does. This is no error for the person.
        case closed
        /// The error of the system, for example a full disk.
        case unwritable(String)

        /// The error in one sentence.
        public var description: String {
            switch self {
            case .closed: "the reader of standard output has closed it"
            case .unwritable(let reason): "standard output cannot be written: \(reason)"
            }
        }
    }

    /// Makes writing to a closed pipe fail with an error instead of ending the process.
    public static func surviveClosedPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes a text completely. On a terminal, control codes other than colours and weights are made
    /// visible.
    public static func write(_ text: String) throws(Failure) {
        try control(isatty(STDOUT_FILENO) == 1 ? VisibleText.styled(text) : text)
    }

    /// Writes a JSON document and a line break. Control codes in strings are written as JSON escapes.
    public static func writeJSON(_ bytes: [UInt8]) throws(Failure) {
        try control(VisibleText.json(String(decoding: bytes, as: UTF8.self)) + "\n")
    }

    /// Writes text unchanged. It must not contain control codes from other people.
    public static func control(_ text: String) throws(Failure) {
        try write(Array(text.utf8), to: STDOUT_FILENO)
    }

    /// Writes all bytes to a file descriptor.
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
