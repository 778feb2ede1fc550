import Records

/// The uploads that have not been committed or discarded, by upload ID. The list is in memory only, because
/// later processes delete those of this one: see `AssetStorage.recover`.
struct PendingUploads {
    struct Upload {
        var content: AssetChecksum
        var receivedAt: Timestamp
    }

    private var uploads: [String: Upload] = [:]

    var isEmpty: Bool { uploads.isEmpty }

    mutating func add(_ uploadID: String, content: AssetChecksum, at now: Timestamp) {
        uploads[uploadID] = Upload(content: content, receivedAt: now)
    }

    mutating func remove(_ uploadID: String) {
        uploads[uploadID] = nil
    }

    func received(before limit: Timestamp) -> [String: Upload] {
        uploads.filter { $0.value.receivedAt < limit }
    }
}
