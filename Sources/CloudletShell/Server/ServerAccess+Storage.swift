import CommandShell
import Records
import RecordsWire

// Calls about storage and limits.
extension ServerAccess {
    /// The facts that the server publishes about itself; nil if it publishes none.
    func facts() async throws -> ServerFacts? {
        do {
            return try await send(ReadServerFacts())
        } catch is RecordError {
            return nil
        }
    }

    /// The number of asset files of a container; equal contents in one database are stored once. nil if the
    /// server refuses.
    func assetFileCount(in container: String) async throws -> Int? {
        do {
            return try await send(ReadStorage(of: container)).assetFiles
        } catch is RecordError {
            return nil
        }
    }

    /// The size in bytes of a person's private data, and its limit; nil if there is none. Without the
    /// operator's key, the person's token is used.
    func privateData(
        of person: String, in container: String, token: String?
    ) async throws -> (bytes: Int, limit: Int?) {
        if operatorKey != nil {
            let details = try await send(ReadPerson(person))
            return (Int(details.privateBytes), details.privateBytesLimit.map { Int($0) })
        }
        let storage = try await send(ReadStorage(of: container), token: token)
        guard let bytes = storage.privateBytes else {
            throw ShellError(code: "notTold", message: "the server does not report the size of private data")
        }
        return (Int(bytes), storage.privateBytesLimit.map { Int($0) })
    }
}
