// Owns the functions that SQL calls, so that the engine and the rest of the house compute alike.

import GRDB
import Records

/// Distance and words, as SQL sees them.
enum SQLFunctions {
    static func add(to database: Database) {
        database.add(function: distance)
        database.add(function: hasWords)
    }

    /// `distance(latitude, longitude, latitude, longitude)` in metres; NULL for missing places.
    private static let distance = DatabaseFunction("distance", argumentCount: 4, pure: true) { values in
        let numbers = values.compactMap { Double.fromDatabaseValue($0) }
        guard numbers.count == 4 else { return nil }
        let here = Location(latitude: numbers[0], longitude: numbers[1])
        return here.distance(to: Location(latitude: numbers[2], longitude: numbers[3]))
    }

    /// `has_words(search, all, text…)`: whether the texts together hold all (1) or any (0) words of a search.
    private static let hasWords = DatabaseFunction("has_words", pure: true) { values in
        guard values.count >= 2, let search = String.fromDatabaseValue(values[0]) else { return false }
        var words: Set<String> = []
        for value in values.dropFirst(2) {
            if let text = String.fromDatabaseValue(value) { words.formUnion(textTokens(text)) }
        }
        let wanted = searchTokens(search)
        let wantsAll = Int.fromDatabaseValue(values[1]) == 1
        return wantsAll ? wanted.allSatisfy(words.contains) : wanted.contains(where: words.contains)
    }
}
