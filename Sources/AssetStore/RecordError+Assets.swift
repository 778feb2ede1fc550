package import Records
import _NIOFileSystem

extension RecordError {
    static let badReceipt = RecordError(
        .assetRejected,
        "bad upload receipt (did_not_validate)",
        nextStep: "Upload the file again and save the record with the new receipt."
    )
    static let badTicket = RecordError(
        .accessDenied,
        "the URL is not valid or has expired",
        nextStep: "Ask for a new one."
    )
    static let badChecksum = RecordError(.badRequest, "not a file checksum")
    static let badRange = RecordError(.badRequest, "the range does not lie in the file")
    static let badUploadID = RecordError(.internalError, "an upload was given a name that no file can have")
    package static let assetTooLarge = RecordError(
        .limitExceeded,
        "the file is larger than an asset can be",
        nextStep: "Make the file smaller or split it."
    )
    package static let wrongLength = RecordError(
        .badRequest,
        "the file is not as long as its upload declared",
        nextStep: "Upload the file again."
    )

    static func linkedFolder(_ folder: FilePath) -> RecordError {
        RecordError(
            .internalError,
            "\(folder) in the data folder is a link",
            culprit: folder.lastComponent?.string,
            nextStep: "If you trust the data folder, put the folder itself there."
        )
    }

    static func damaged(_ fileChecksum: String?) -> RecordError {
        RecordError(
            .internalError,
            "the stored file is damaged",
            culprit: fileChecksum,
            nextStep: "Restore the file from a backup or upload it again."
        )
    }

    /// Converts file system errors to `RecordError`. Other errors stay unchanged.
    static func translating(_ error: any Error) -> any Error {
        switch error {
        case let error as FileSystemError where error.code == .notFound:
            RecordError(.notFound, "there is no such file")
        case let error as FileSystemError where error.code == .resourceExhausted || isFull(error.cause):
            noSpace
        case let error as Errno where isFull(error):
            noSpace
        case is FileSystemError, is Errno:
            RecordError(.internalError, "the file store could not do its work")
        default:
            error
        }
    }

    /// Whether the disk or the user's disk quota is full.
    private static func isFull(_ error: (any Error)?) -> Bool {
        switch error {
        case let error as FileSystemError.SystemCallError: isFull(error.errno)
        case let error as Errno: error == .noSpace || error == .diskQuotaExceeded
        default: false
        }
    }

    private static let noSpace = RecordError(
        .quotaExceeded,
        "the disk of the server is full",
        culprit: "storage",
        nextStep: "Make room on the server's disk."
    )
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
