import RecordStore
import Records

/// A zone without shares, for the test doubles of zones.
extension ZoneTransaction {
    var shares: ZoneShares { .none }
    func share(covering name: String) throws -> (id: Int64, name: String)? { nil }
    func isBelow(_ name: String, _ top: String, levels: Int) throws -> Bool? { false }
    func root(below name: String, except share: Int64?) throws -> String? { nil }
    func subtreeCount(of name: String) throws -> Int { 1 }
    func count(coveredBy share: Int64) throws -> Int { 0 }
    mutating func open(_ share: Int64, named name: String, root: String?) throws {}
    mutating func close(_ share: Int64) throws {}
    mutating func cover(_ name: String, by share: Int64, sequence: Int64) throws {}
    mutating func renew(_ name: String, sequence: Int64) throws {}
    mutating func uncover(_ name: String, sequence: Int64) throws {}
    mutating func moveSubtree(of name: String, from old: Int64?, to new: Int64?) throws {}
    mutating func join(_ person: String, _ share: Int64, sequence: Int64) throws {}
    mutating func leave(_ person: String, _ share: Int64, sequence: Int64) throws {}
    mutating func rewrite(_ head: StoredRecord, _ ordinal: Int64) throws {}
    func members(of share: Int64) throws -> [String] { [] }
    func shortGUID(of name: String) throws -> String? { nil }
    mutating func setShortGUID(_ guid: String?, of name: String) throws {}
}
