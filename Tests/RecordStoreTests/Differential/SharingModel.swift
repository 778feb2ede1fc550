import RecordStore
import Records

/// Computes from scratch what the shares of a zone cover, from the records alone.
struct SharingModel {
    private let records: [String: StoredRecord]

    init(_ records: [StoredRecord?]) {
        var found: [String: StoredRecord] = [:]
        for case let record? in records { found[record.id.name] = record }
        self.records = found
    }

    private var shares: [(name: String, terms: Share)] {
        records.values.compactMap { record in record.sharing?.terms.map { (name: record.id.name, terms: $0) }
        }
    }

    /// The record name of the share that covers each record. Two shares of one record are joined by "+",
    /// which no store answers.
    var cover: [String: String] {
        var cover: [String: String] = [:]
        for (share, terms) in shares {
            for name in covered(by: share, terms) {
                cover[name] = cover[name].map { $0 + "+" + share } ?? share
            }
        }
        return cover
    }

    private func covered(by share: String, _ terms: Share) -> Set<String> {
        guard let root = terms.root else { return Set(records.keys) }
        var covered: Set<String> = [root]
        var isGrowing = true
        while isGrowing {
            let more = records.values.filter { record in
                guard let parent = record.parent, record.sharing?.shareName == nil else { return false }
                return covered.contains(parent) && !covered.contains(record.id.name)
            }
            covered.formUnion(more.map(\.id.name))
            isGrowing = !more.isEmpty
        }
        return covered.union([share])
    }

    /// The records that a person may see, with the numbers of their last changes; nil if the person is a
    /// member of no share.
    func visible(to person: String) -> [String: Int64]? {
        let joined = shares.filter { $0.terms.members.contains(person) }
        if joined.isEmpty { return nil }
        var visible: [String: Int64] = [:]
        for (share, terms) in joined {
            for name in covered(by: share, terms) { visible[name] = records[name]?.sequence }
        }
        return visible
    }
}

/// What a person keeps of one zone that is shared with the person.
struct SharedDevice {
    var person: String
    var zone: String
    var token: ChangeToken?
    /// The numbers of the last changes of the records, by name.
    var records: [String: Int64] = [:]

    mutating func apply(_ page: ChangesPage) {
        for change in page.changes {
            switch change {
            case .saved(let record): records[record.id.name] = record.sequence
            case .deleted(let id, _, _): records[id.name] = nil
            }
        }
        token = page.token
    }

    mutating func startOver() {
        token = nil
        records = [:]
    }
}
