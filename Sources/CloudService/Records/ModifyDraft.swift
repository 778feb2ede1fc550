import RecordStore
import Records

/// The operations of a batch, each with the error that refused it, if any.
struct ModifyDraft {
    private(set) var operations: [(operation: RecordOperation, error: RecordError?)]
    let zone: String
    /// The maximum size of a record name in bytes.
    let longestName: Int
    var isAtomic = false
    /// The client's change token for the batch; nil in the default zone, which has no feed of changes.
    var clientChange: ClientChange?
    /// Counts the records that the batch follows along references and parents, against the caller's rate.
    var followed: FollowedRecords?
    /// Whether the answer contains the zone's token.
    var wantsToken = false
    /// The zone's token from before the operations were checked; nil unless it is wanted.
    var token: ChangeToken?
    /// Files that operations put into fields without proof of an upload, by record name.
    private(set) var unprovenAssets: [String: Set<String>] = [:]
    /// Those of the files without a receipt that the stored records owned before the save, by record name.
    var keptAssets: [String: Set<String>] = [:]

    init(
        operations: [(operation: RecordOperation, error: RecordError?)], zone: String, longestName: Int
    ) {
        self.operations = operations
        self.zone = zone
        self.longestName = longestName
    }

    var accepted: [RecordOperation] { operations.filter { $0.error == nil }.map(\.operation) }

    /// The client's change token, with refused records added to its exceptions. Names that no record can have
    /// are left out.
    var acceptedClientChange: ClientChange? {
        guard var clientChange else { return nil }
        let refused = operations.lazy.filter { $0.error != nil }.compactMap(\.operation.recordName)
        clientChange.exceptions.formUnion(refused)
        clientChange.exceptions = clientChange.exceptions.filter { name in
            name.utf8.count <= longestName && NameRules.isPrintableASCII(name)
        }
        return clientChange
    }

    /// Bytes of the fields of the server's records in the errors.
    var refusedBytes: Int { operations.reduce(0) { $0 + ($1.error?.serverRecordBytes ?? 0) } }

    var hasRefusals: Bool { operations.contains { $0.error != nil } }

    /// Whether no operation can succeed: all are refused, or one of an atomic batch is.
    var isRefused: Bool {
        operations.allSatisfy { $0.error != nil } || (isAtomic && operations.contains { $0.error != nil })
    }

    /// Sets the error of the operation on a record.
    mutating func refuse(_ recordName: String, with error: RecordError) {
        for index in operations.indices where operations[index].operation.recordName == recordName {
            operations[index].error = error
        }
    }

    // MARK: Shares

    /// Prepares a short GUID for each share, and for each record that asks for one; the store uses it if they
    /// have none yet. Gives new participants an id.
    ///
    /// - Parameter makeShortGUID: Returns nil where records have no short GUIDs. A record that asks for one
    ///   there is refused.
    mutating func prepareShares(_ makeShortGUID: () -> String?, makeID: () -> String) {
        for index in operations.indices where operations[index].error == nil {
            let operation = operations[index].operation
            if operation.wantsShortGUID || operation.share != nil {
                operations[index].operation.shortGUID = makeShortGUID()
            }
            if operation.wantsShortGUID, operations[index].operation.shortGUID == nil {
                operations[index].error = Self.noShortGUID(operation.recordName ?? "")
            }
            guard case .save(var terms)? = operation.share, let people = terms.participants else {
                continue
            }
            terms.participants = people.map { person in
                var person = person
                if person.id.isEmpty { person.id = makeID() }
                return person
            }
            operations[index].operation.share = .save(terms)
        }
    }

    private static func noShortGUID(_ name: String) -> RecordError {
        RecordError(
            .badRequest, "only the owner's records in a custom zone of a private database have short GUIDs",
            culprit: name, nextStep: "save the record without createShortGUID")
    }

    // MARK: Types

    /// Names of records whose type is needed to check the fields of an operation that does not name it.
    var untypedNames: [String] {
        accepted.filter { $0.recordType == nil && !$0.kind.isDelete && !$0.fields.isEmpty }
            .compactMap(\.recordName)
    }

    mutating func setTypes(_ types: [String: String?]) {
        for index in operations.indices where operations[index].operation.recordType == nil {
            guard let name = operations[index].operation.recordName, let type = types[name] else { continue }
            operations[index].operation.recordType = type
        }
    }

    /// Converts the fields of every save to the form that the schema requires; a save that cannot be
    /// converted gets the error.
    mutating func fit(_ admit: (Fields, String) throws(RecordError) -> Fields) {
        for index in operations.indices where operations[index].error == nil {
            let operation = operations[index].operation
            guard !operation.kind.isDelete, let type = operation.recordType else { continue }
            do throws(RecordError) {
                operations[index].operation.fields = try admit(operation.fields, type)
            } catch {
                operations[index].error = error
            }
        }
    }

    /// The saves that would add types or fields to the schema.
    func operationsGrowing(_ schema: Schema) -> [RecordOperation] {
        accepted.filter { operation in
            guard !operation.kind.isDelete, let name = operation.recordType else { return false }
            guard let type = schema.types[name] else { return true }
            return operation.fields.names.contains { type.fields[$0]?.isUnsettled ?? true }
        }
    }

    // MARK: Assets

    /// The number of assets in all fields of all operations.
    var assetCount: Int {
        operations.reduce(0) { sum, entry in
            entry.operation.fields.values.reduce(sum) { sum, field in
                field.value.type.element == .asset ? sum + field.value.elements.count : sum
            }
        }
    }

    /// The checksums of the assets without a receipt, by record name.
    var unsignedChecksums: [String: Set<String>] {
        var checksums: [String: Set<String>] = [:]
        for (operation, error) in operations where error == nil {
            for field in operation.fields.values where field.value.type.element == .asset {
                for case .asset(let asset) in field.value.elements where asset.receipt == nil {
                    checksums[operation.recordName ?? "", default: []].insert(asset.fileChecksum)
                }
            }
        }
        return checksums
    }

    /// An asset as it will be stored, and whether a receipt proved its upload.
    enum Proof {
        case proven(Asset)
        case unproven(Asset)
    }

    /// Replaces every asset of every save by the result of `prove`.
    mutating func proveAssets(_ prove: (Asset, RecordOperation, String) throws -> Proof) {
        for index in operations.indices where operations[index].error == nil {
            let operation = operations[index].operation
            for (name, field) in operation.fields where field.value.type.element == .asset {
                do {
                    let value = try proven(field.value) { asset in
                        switch try prove(asset, operation, name) {
                        case .proven(let kept): return kept
                        case .unproven(let kept):
                            unprovenAssets[operation.recordName ?? "", default: []].insert(kept.fileChecksum)
                            return kept
                        }
                    }
                    operations[index].operation.fields[name] = Field(value, isEncrypted: field.isEncrypted)
                } catch {
                    operations[index].error = RecordError(unexpected: error)
                }
            }
        }
    }

    private func proven(_ value: FieldValue, _ prove: (Asset) throws -> Asset) rethrows -> FieldValue {
        switch value {
        case .asset(let asset): .asset(try prove(asset))
        case .list(.asset, let elements):
            .list(.asset, try elements.map { try proven($0, prove) })
        default: value
        }
    }

    /// Whether the batch may have removed the last reference to a file.
    func mayReleaseAssets(_ schema: Schema) -> Bool {
        accepted.contains { operation in
            if operation.kind.isDelete { return true }
            if operation.kind == .create { return false }
            guard let type = operation.recordType.flatMap({ schema.types[$0] }) else { return true }
            return type.fields.values.contains { $0.type.element == .asset }
        }
    }

    // MARK: Results

    /// One result for each operation, given the store's results for the accepted ones.
    func results(of stored: [ItemResult]) -> [ItemResult] {
        var remaining = stored[...]
        return operations.map { operation, error in
            let id = RecordID(name: operation.recordName ?? "", zone: ZoneID(name: zone))
            if let error { return .failure(id, error) }
            return remaining.popFirst() ?? .failure(id, Self.atomicFailure)
        }
    }

    /// The error of an operation that was undone because another one of the atomic batch failed.
    private static let atomicFailure = RecordError(
        .atomicFailure, "Atomic failure",
        nextStep: "correct the records of this request that carry an error of their own, then send all again"
    )
}
