import Foundation
import NIOCore
import Records

/// Extracts a file from a multipart form (RFC 7578): the content of the part that is named `files` or has a
/// file name. The form may arrive in pieces of any size. The scanner keeps only bytes that may belong to a
/// boundary, and the headers of a part.
package struct MultipartScanner: Sendable {
    private enum State: Hashable {
        /// Before the first boundary.
        case preamble
        /// After a boundary: the headers of a part, or the end of the form.
        case headers
        /// In the content of a part, which is passed on if it is the file.
        case body(isFile: Bool)
        case end
    }

    /// The bytes that end the content of a part.
    private let delimiter: [UInt8]
    private var state = State.preamble
    private var pending = ByteBuffer()
    private var hasFile = false

    /// The bytes received so far, and those of them that belong to the file.
    private var (received, fileBytes) = (0, 0)
    private var parts = 0
    /// The number of bytes of unfinished headers that were already searched for the end of the headers.
    private var searched = 0

    /// The maximum size of a part's headers, in bytes.
    private static let headerLimit = 16_384
    /// The maximum number of bytes outside of the file. The last received piece counts as outside until it is
    /// scanned.
    private static let overheadLimit = 2_097_152
    private static let partLimit = 16
    private static let formEnd = Array("--".utf8)
    private static let headersEnd = Array("\r\n\r\n".utf8)

    init(boundary: String) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        // A form may begin with its first boundary, without a line break before it.
        pending.writeString("\r\n")
    }

    /// Returns the boundary in a content type; nil if it is not that of a form.
    package static func boundary(of contentType: String?) -> String? {
        guard let contentType else { return nil }
        let parts = contentType.split(separator: ";").map { $0.drop { $0 == " " } }
        guard parts.first?.lowercased().hasPrefix("multipart/form-data") == true else { return nil }
        for part in parts.dropFirst() where part.lowercased().hasPrefix("boundary=") {
            let value = part.dropFirst(9).filter { $0 != "\"" }
            if (1...70).contains(value.utf8.count) { return value }
        }
        return nil
    }

    /// Adds the next piece of the form. Throws `limitExceeded` if the form has too many bytes outside of its
    /// file.
    mutating func push(_ piece: ByteBuffer) throws(RecordError) {
        received += piece.readableBytes
        guard received - fileBytes <= Self.overheadLimit else {
            throw RecordError(
                .limitExceeded, "the form has more than \(Self.overheadLimit) bytes outside of its file",
                culprit: "body", nextStep: "send the bytes of the file alone, or as the only part of the form"
            )
        }
        pending.discardReadBytes()
        pending.writeImmutableBuffer(piece)
    }

    /// Returns the next bytes of the file; nil if more of the form is needed.
    ///
    /// Throws `badRequest` for a form with more than one file, with too many parts or with too long headers.
    mutating func next() throws(RecordError) -> ByteBuffer? {
        while true {
            switch state {
            case .preamble:
                guard skipPart() else { return nil }
            case .headers:
                guard try readHeaders() else { return nil }
            case .body(isFile: false):
                guard skipPart() else { return nil }
            case .body(isFile: true):
                let (bytes, isOver) = takeBytes()
                if isOver { state = .headers }
                fileBytes += bytes.readableBytes
                if bytes.readableBytes > 0 { return bytes }
                if !isOver { return nil }
            case .end:
                pending.clear()
                return nil
            }
        }
    }

    /// Ends the form. Throws `badRequest` if it is cut off or has no file.
    func finish() throws(RecordError) {
        if state != .end { throw Self.refusal("the form ends before its last boundary") }
        if !hasFile { throw Self.refusal("the form has no part named files") }
    }

    // MARK: Parts

    /// Drops the bytes through the next boundary. Returns false if that has not arrived yet.
    private mutating func skipPart() -> Bool {
        guard takeBytes().isOver else { return false }
        state = .headers
        return true
    }

    /// Removes the next boundary with the bytes before it, and returns these bytes. If no boundary has
    /// arrived, returns the bytes that cannot belong to one.
    private mutating func takeBytes() -> (bytes: ByteBuffer, isOver: Bool) {
        let (length, isOver) = pending.withUnsafeReadableBytes { Self.find(delimiter, in: $0) }
        let bytes = pending.readSlice(length: length) ?? ByteBuffer()
        if isOver { pending.moveReaderIndex(forwardBy: delimiter.count) }
        return (bytes, isOver)
    }

    /// Returns the number of bytes before a delimiter, and whether the delimiter is complete. At the end of
    /// `bytes`, the beginning of a delimiter counts too.
    private static func find(
        _ delimiter: [UInt8], in bytes: UnsafeRawBufferPointer
    ) -> (length: Int, isWhole: Bool) {
        guard let base = bytes.baseAddress else { return (0, false) }
        var start = 0
        while start < bytes.count,
            let found = memchr(base + start, Int32(delimiter[0]), bytes.count - start)
        {
            let offset = UnsafeRawPointer(found) - base
            let known = min(bytes.count - offset, delimiter.count)
            if memcmp(found, delimiter, known) == 0 { return (offset, known == delimiter.count) }
            start = offset + 1
        }
        return (bytes.count, false)
    }

    /// Reads the headers of the next part, or the end of the form, after a boundary. Returns false if they
    /// have not arrived completely.
    private mutating func readHeaders() throws(RecordError) -> Bool {
        let view = pending.readableBytesView
        if view.count < 2 { return false }
        if view.starts(with: Self.formEnd) {
            state = .end
            return true
        }
        // Only bytes that were not searched before: a form may arrive byte by byte.
        let (length, isWhole) = pending.withUnsafeReadableBytes { [searched] bytes in
            Self.find(Self.headersEnd, in: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(searched)))
        }
        let end = searched + length
        searched = isWhole ? 0 : end
        if end > Self.headerLimit {
            throw Self.refusal("the headers of a part of the form have more than \(Self.headerLimit) bytes")
        }
        if !isWhole { return false }
        let headers = [UInt8](view.prefix(end))
        pending.moveReaderIndex(forwardBy: end + Self.headersEnd.count)
        parts += 1
        if parts > Self.partLimit { throw Self.refusal("the form has more than \(Self.partLimit) parts") }
        let isFile = Self.isFile(headers)
        if isFile, hasFile { throw Self.refusal("the form has more than one file") }
        hasFile = hasFile || isFile
        state = .body(isFile: isFile)
        return true
    }

    /// Whether headers announce the file. They are compared byte by byte: comparing them as characters takes
    /// quadratic time if a character has thousands of combining marks.
    private static func isFile(_ headers: [UInt8]) -> Bool {
        let lower = headers.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        return lower.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.contains { line in
            guard line.starts(with: "content-disposition:".utf8) else { return false }
            return line.split(separator: UInt8(ascii: ";")).contains { parameter in
                let space = UInt8(ascii: " ")
                let parameter = parameter.drop { $0 == space }.prefix { $0 != space }
                return parameter.elementsEqual("name=\"files\"".utf8)
                    || parameter.elementsEqual("name=files".utf8) || parameter.starts(with: "filename=".utf8)
            }
        }
    }

    private static func refusal(_ reason: String) -> RecordError {
        RecordError(
            .badRequest, reason, culprit: "body",
            nextStep: "send the bytes of the file alone, or a form with one part named files"
        )
    }
}

/// The bytes of the file in a form, as they arrive.
struct MultipartFile<Base: AsyncSequence>: AsyncSequence where Base.Element == ByteBuffer {
    typealias Element = ByteBuffer

    let base: Base
    let scanner: MultipartScanner

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), scanner: scanner)
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var scanner: MultipartScanner

        mutating func next() async throws -> ByteBuffer? {
            while true {
                if let bytes = try scanner.next() { return bytes }
                guard let piece = try await base.next() else {
                    try scanner.finish()
                    return nil
                }
                try scanner.push(piece)
            }
        }
    }
}
