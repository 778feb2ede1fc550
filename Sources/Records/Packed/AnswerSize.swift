/// The approximate size of records in an answer, by which the server decides where to encode them.
package struct AnswerSize: Hashable, Sendable {
    /// The bytes of all records: of their fields with asset URLs, and of the people of shares.
    package private(set) var contentBytes = 0
    /// The bytes of everything else: names, types, times and people.
    package private(set) var metadataBytes = 0
    private var count = 0

    /// About the bytes of the keys, tags, times and punctuation of a record in an answer.
    private static let keyBytes = 450
    /// More bytes of metadata than a record with short names has.
    private static let usualMetadata = 1000

    package init() {}

    /// How many bytes count for the decision where to encode the records: those of the fields, and those of
    /// metadata that is much longer than usual. Usual metadata takes less time than fields.
    package var encodingBytes: Int { contentBytes + max(0, metadataBytes - Self.usualMetadata * count) }

    /// Adds a record or a deletion with names of this total length. JSON may need two bytes for each byte of
    /// a name.
    mutating func add(content: Int, names: Int) {
        count += 1
        contentBytes += content
        metadataBytes += Self.keyBytes + 2 * names
    }

    /// Adds a record.
    package mutating func add(_ record: StoredRecord, _ addresses: AssetAddress = .plain) {
        add(content: record.answerBytes(addresses), names: record.nameBytes)
    }

    /// Adds the token and the exceptions of a batch.
    package mutating func add(_ batch: ClientChange) {
        contentBytes += batch.exceptions.reduce(2 * batch.token.count) { $0 + 2 * $1.utf8.count + 3 }
    }

    /// Adds the result of an operation.
    private mutating func add(_ result: ItemResult, _ addresses: AssetAddress) {
        switch result {
        case .record(let record): add(record, addresses)
        case .deleted(let id): add(content: 0, names: id.nameBytes)
        case .failure(let id, let error):
            add(
                content: error.serverRecordBytes,
                names: id.nameBytes + (error.serverRecord?.nameBytes ?? 0) + error.reason.utf8.count
                    + (error.culprit?.utf8.count ?? 0))
        }
    }
}

extension AnswerSize {
    /// The size of the results of operations.
    package init(_ results: some Sequence<ItemResult>, _ addresses: AssetAddress = .plain) {
        self.init()
        for result in results { add(result, addresses) }
    }
}

extension RecordID {
    fileprivate var nameBytes: Int { name.utf8.count + zone.name.utf8.count }
}

extension StoredRecord {
    /// About the bytes of the names, people and devices. Those of assets and of a share's people are part of
    /// `answerBytes`.
    fileprivate var nameBytes: Int {
        let texts = [
            type, created.by, created.device, modified.by, modified.device, parent, sharing?.shareName,
            shortGUID,
        ]
        return texts.reduce(id.nameBytes) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension Record {
    /// About the bytes of the names of the record and of its fields.
    fileprivate var nameBytes: Int {
        fields.names.reduce(id.nameBytes + type.utf8.count + (parent?.utf8.count ?? 0)) {
            $0 + $1.utf8.count
        }
    }
}
