import RecordStore
import Records

@testable import TestKit

extension RandomWorld {
    static let participants = ["_three", "_four", "_five"]
    static let shareNames = ["s0", "s1", "s2", "s3"]

    /// The names of all possible records.
    static var allNames: [String] { recordNames + shareNames + [Share.zoneWideName] }

    /// A random batch of the owner or a participant that concerns shares.
    mutating func sharingBatch(in zone: String, at time: Int64) -> WriteBatch {
        let person = numbers.chance(30) ? numbers.pick(Self.participants) : nil
        let name = numbers.chance(10) ? Share.zoneWideName : numbers.pick(Self.shareNames)
        let operations: [RecordOperation]
        switch person == nil ? numbers.next() % 10 : numbers.next() % 8 + 6 {
        case 0, 1: operations = newShare(name)
        case 2: operations = [terms(of: name)]
        case 3, 4: operations = [acceptance(of: name)]
        case 5: operations = [RecordOperation(.forceDelete, recordName: name)]
        case 6: operations = [RecordOperation(.delete, recordName: name)]
        default: operations = moves(by: person)
        }
        var batch = WriteBatch(
            zone: zone, operations: operations, isAtomic: numbers.chance(30),
            stamp: Stamp(at: Timestamp(milliseconds: time), by: person ?? Self.people[0]), schema: schema)
        batch.participant = person
        batch.owner = Self.people[0]
        return batch
    }

    private mutating func newShare(_ name: String) -> [RecordOperation] {
        let root = name == Share.zoneWideName ? nil : numbers.pick(Self.recordNames)
        let draft = ShareDraft(root: root, participants: invited())
        let share = RecordOperation(
            .create, recordName: name, recordType: Share.recordType, share: .save(draft),
            shortGUID: "guid\(numbers.next())")
        let touched = root.map { RecordOperation(.forceUpdate, recordName: $0) }
        return numbers.chance(90) ? [touched, share].compactMap { $0 } : [share]
    }

    private mutating func terms(of name: String) -> RecordOperation {
        let draft = ShareDraft(
            publicPermission: numbers.chance(40) ? numbers.pick(Participant.Permission.allCases) : nil,
            participants: numbers.chance(70) ? invited() : nil)
        return RecordOperation(
            .forceUpdate, recordName: name, recordType: Share.recordType, share: .save(draft),
            shortGUID: "guid\(numbers.next())")
    }

    mutating func invited() -> [Participant] {
        var people: [Participant] = []
        for person in Self.participants where numbers.chance(60) {
            let permission = numbers.pick([Participant.Permission.readWrite, .readWrite, .readOnly])
            people.append(Participant(id: person, person: person, permission: permission))
        }
        return people
    }

    private mutating func acceptance(of name: String) -> RecordOperation {
        let person = numbers.pick(Self.participants)
        return RecordOperation(
            .forceUpdate, recordName: name, recordType: Share.recordType,
            share: .accept(person: person, addresses: [], id: person))
    }

    /// Saves that set and remove parents, and deletions.
    private mutating func moves(by person: String?) -> [RecordOperation] {
        let first = numbers.pick(Self.recordNames)
        let second = numbers.pick(Self.recordNames)
        return (first == second ? [first] : [first, second]).map { name in
            if numbers.chance(15) { return RecordOperation(.forceDelete, recordName: name) }
            let isNew = numbers.chance(50)
            var operation = RecordOperation(isNew ? .create : .forceUpdate, recordName: name)
            if isNew { operation.recordType = "A" }
            if numbers.chance(65) { operation.parent = .set(numbers.pick(Self.recordNames)) }
            if !isNew, numbers.chance(10) { operation.parent = .remove }
            return operation
        }
    }
}
