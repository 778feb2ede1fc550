package import Records
import _NIOFileSystem

extension RecordError {
    package static let badReceipt = RecordError(
        .assetRejected,
        "bad upload receipt (did_not_validate)",
        nextStep: "use the receipt for the file, record type and field that it was made for"
    )
    package static let expiredReceipt = RecordError(
        .uploadExpired,
        "bad upload receipt (did_not_validate)",
        nextStep: "upload the file again, and save the record with the new receipt"
    )
    static let badTicket = RecordError(
        .accessDenied,
        "the URL is not valid or has expired",
        nextStep: "request a new URL for the file"
    )
    package static let missingFile = RecordError(.notFound, "there is no such file")
    static let badChecksum = RecordError(.badRequest, "the file checksum is malformed")
    static let badRange = RecordError(.badRequest, "the range is outside of the file")
    static let badUploadID = RecordError(.internalError, "the ID of the upload is not a valid file name")
    package static let assetTooLarge = RecordError(
        .limitExceeded,
        "the file is larger than an asset can be",
        nextStep: "make the file smaller, or split it"
    )
    package static let wrongLength = RecordError(
        .badRequest,
        "the file is shorter or longer than its upload declared",
        nextStep: "upload the file again"
    )

    static func linkedFolder(_ folder: FilePath) -> RecordError {
        RecordError(
            .internalError,
            "\(folder) in the data folder is a link",
            culprit: folder.lastComponent?.string,
            nextStep: "if you trust the data folder, replace the link by the folder itself"
        )
    }

    package static func damaged(_ fileChecksum: String?) -> RecordError {
        RecordError(
            .internalError,
            "the stored file is damaged",
            culprit: fileChecksum,
            nextStep: "restore the file from a backup, or upload it again"
        )
    }

    /// Converts file system errors to `RecordError`. Other errors stay unchanged.
    static func translating(_ error: any Error) -> any Error {
        switch error {
        case let error as FileSystemError where error.code == .notFound:
            RecordError.missingFile
        case let error as FileSystemError where error.code == .resourceExhausted || isFull(error.cause):
            RecordError.fullDisk
        case let error as Errno where isFull(error):
            RecordError.fullDisk
        case is FileSystemError, is Errno:
            failure(because: error)
        default:
            error
        }
    }

    private static func failure(because cause: any Error) -> RecordError {
        var error = RecordError(.internalError, "the file store failed")
        error.diagnosis = "\(cause)"
        return error
    }

    /// Whether the disk or the user's disk quota is full, or the file would exceed the maximum file size.
    private static func isFull(_ error: (any Error)?) -> Bool {
        switch error {
        case let error as FileSystemError.SystemCallError: isFull(error.errno)
        case let error as Errno: [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(error)
        default: false
        }
    }
}

/// Runs `work` and converts file system errors to `RecordError`.
func translatingDiskErrors<Value>(_ work: () throws -> Value) throws -> Value {
    do {
        return try work()
    } catch {
        throw RecordError.translating(error)
    }
}

/// Runs `work` and converts file system errors to `RecordError`.
func translatingDiskErrors<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
        return try await work()
    } catch {
        throw RecordError.translating(error)
    }
}
