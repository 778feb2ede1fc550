import CommandShell
import Records
import RecordsWire

// How much a server keeps, and may.
extension ServerAccess {
    /// What the server publishes about itself; nil if it publishes nothing.
    func facts() async throws -> ServerFacts? {
        do {
            return try await send(ReadServerFacts())
        } catch is RecordError {
            return nil
        }
    }

    /// How many files the server keeps for the records of a container; equal contents are kept once. nil if
    /// the server does not tell.
    func assetFileCount(in container: String) async throws -> Int? {
        do {
            return try await send(ReadStorage(of: container)).assetFiles
        } catch is RecordError {
            return nil
        }
    }

    /// The bytes that a person's private data takes up, and may; the limit is nil where there is none.
    /// Without the operator's key, the person's token asks.
    func privateData(
        of person: String, in container: String, token: String?
    ) async throws -> (bytes: Int, limit: Int?) {
        if operatorKey != nil {
            let details = try await send(ReadPerson(person))
            return (Int(details.privateBytes), details.privateBytesLimit.map { Int($0) })
        }
        let storage = try await send(ReadStorage(of: container), token: token)
        guard let bytes = storage.privateBytes else {
            throw Complaint(code: "notTold", message: "the server does not report the size of private data")
        }
        return (Int(bytes), storage.privateBytesLimit.map { Int($0) })
    }
}
