import Foundation
import Records

/// Reads text from a file or standard input.
enum InputFile {
    /// The text of a file; `-` reads standard input.
    ///
    /// - Throws: `RecordError` with the code `notFound` if the file cannot be read.
    static func text(of path: String) throws -> String {
        do {
            if path == "-" {
                let data = try FileHandle.standardInput.readToEnd() ?? Data()
                return String(decoding: data, as: UTF8.self)
            }
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw RecordError(
                .notFound, "the file \(path) cannot be read", nextStep: "check its path and permissions"
            )
        }
    }
}

/// A new file that only its owner can read.
struct SecretFile {
    private let path: String
    private let descriptor: Int32

    /// Creates the file.
    ///
    /// - Throws: `RecordError` with the code `exists` if the file exists, `notFound` if it cannot be created.
    init(creating path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw RecordError(
                errno == EEXIST ? .exists : .notFound,
                errno == EEXIST ? "the file \(path) already exists" : "the file \(path) cannot be written",
                nextStep: "name another file"
            )
        }
        self.path = path
        self.descriptor = descriptor
    }

    /// Writes the complete text and closes the file.
    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        let count = Foundation.write(descriptor, bytes, bytes.count)
        close(descriptor)
        if count != bytes.count {
            throw RecordError(
                .internalError, "the file \(path) could not be written",
                nextStep: "check that the disk has space"
            )
        }
    }

    func remove() { unlink(path) }
}
