import Foundation
import GRDB
import RecordStore
import Records
import Synchronization

/// The SQL functions of a connection: distances, words, and the heads of records.
enum SQLFunctions {
    static func add(to database: Database) {
        database.add(function: distance)
        database.add(function: hasWords(SearchWords()))
        database.add(function: recordHead)
        database.add(function: part(.creator, named: "record_creator"))
        database.add(function: part(.modifier, named: "record_modifier"))
        database.add(function: part(.slots, named: "record_assets"))
    }

    /// `distance(latitude, longitude, latitude, longitude)` in metres; NULL if a coordinate is NULL.
    private static let distance = DatabaseFunction("distance", argumentCount: 4, pure: true) { values in
        let numbers = values.compactMap { Double.fromDatabaseValue($0) }
        guard numbers.count == 4 else { return nil }
        let here = Location(latitude: numbers[0], longitude: numbers[1])
        return here.distance(to: Location(latitude: numbers[2], longitude: numbers[3]))
    }

    /// `has_words(words, all, text…)`: whether the texts together contain all (1) or any (0) of the words,
    /// which are separated by `wordSeparator`.
    ///
    /// SQLite counts a call as one instruction, so this function spends the cost of splitting the texts from
    /// the read's budget, and throws `ReadBudget.Exceeded` if nothing is left.
    private static func hasWords(_ searches: SearchWords) -> DatabaseFunction {
        DatabaseFunction("has_words", pure: true) { values in
            guard values.count >= 2, let search = String.fromDatabaseValue(values[0]) else { return false }
            var words: Set<String> = []
            for value in values.dropFirst(2) {
                guard let text = String.fromDatabaseValue(value) else { continue }
                try ReadBudget.spend(splitting: text)
                words.formUnion(textTokens(text))
            }
            let wanted = searches.words(of: search)
            let wantsAll = Int.fromDatabaseValue(values[1]) == 1
            return wantsAll ? wanted.allSatisfy(words.contains) : wanted.contains(where: words.contains)
        }
    }

    /// The separator of the words of a search. No word contains it.
    static let wordSeparator = " "

    /// `record_head(created_at, created_by, created_on, modified_at, modified_by, modified_on, parent,
    /// slots)`: the encoded head of a record. A migration calls it, so its result must never change.
    private static let recordHead = DatabaseFunction("record_head", argumentCount: 8, pure: true) { values in
        func stamp(_ first: Int) -> Stamp? {
            guard let at = Int64.fromDatabaseValue(values[first]),
                let by = String.fromDatabaseValue(values[first + 1])
            else { return nil }
            let device = String.fromDatabaseValue(values[first + 2])
            return Stamp(at: Timestamp(milliseconds: at), by: by, device: device)
        }
        guard let created = stamp(0), let modified = stamp(3) else { return nil }
        return Data(
            RecordHead.bytes(
                created: created, modified: modified, parent: String.fromDatabaseValue(values[6]),
                slots: String.fromDatabaseValue(values[7])))
    }

    /// A function that returns one text of a head; NULL if the head has none.
    private static func part(_ part: RecordHead.Part, named name: String) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 1, pure: true) { values in
            guard let head = Data.fromDatabaseValue(values[0]) else { return nil }
            return head.withUnsafeBytes { RecordHead($0).text(of: part) }
        }
    }
}

/// Caches the words of a connection's searches, so that a search text is split once for each query and not
/// for each row.
private final class SearchWords: Sendable {
    private let known = Mutex<[String: [String]]>([:])
    /// The maximum number of cached searches, more than one query can have. Above it, the cache is emptied.
    private static let room = 64

    func words(of search: String) -> [String] {
        known.withLock { known in
            if let words = known[search] { return words }
            if known.count >= Self.room { known.removeAll(keepingCapacity: true) }
            let words = search.split(separator: SQLFunctions.wordSeparator).map(String.init)
            known[search] = words
            return words
        }
    }
}
