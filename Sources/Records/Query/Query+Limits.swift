extension Query {
    /// Throws `limitExceeded` for more filters than a query may have.
    package static func checkFilters(_ count: Int, _ limits: Limits) throws(RecordError) {
        if count <= limits.filtersPerQuery { return }
        throw RecordError(
            .limitExceeded, "more than \(limits.filtersPerQuery) filters in one query", culprit: "filterBy",
            nextStep: "use IN for alternatives of one field")
    }

    /// Throws `limitExceeded` for more sort criteria than a query may have.
    package static func checkSorts(_ count: Int, _ limits: Limits) throws(RecordError) {
        if count <= limits.sortsPerQuery { return }
        throw RecordError(
            .limitExceeded, "more than \(limits.sortsPerQuery) sort criteria in one query", culprit: "sortBy",
            nextStep: "sort by fewer fields")
    }

    /// Throws `limitExceeded` for more values than all lists of a query may have together.
    package static func checkValues(_ count: Int, _ limits: Limits) throws(RecordError) {
        if count <= limits.listElements { return }
        throw RecordError(
            .limitExceeded, "more than \(limits.listElements) values in one query", culprit: "filterBy",
            nextStep: "split the values over several queries")
    }

    /// Throws `limitExceeded` for more creation and modification times than all lists of a query may have
    /// together.
    package static func checkTimes(_ count: Int, _ limits: Limits) throws(RecordError) {
        if count <= limits.timesPerQuery { return }
        throw RecordError(
            .limitExceeded,
            "more than \(limits.timesPerQuery) creation and modification times in one query",
            culprit: "filterBy",
            nextStep: "filter by a range of times, or split the times over several queries")
    }

    /// Throws `limitExceeded` for more text than all searches of a query may have together.
    package static func checkSearches(
        characters: Int, words: Int, _ limits: Limits
    ) throws(RecordError) {
        if characters > limits.searchCharacters {
            throw RecordError(
                .limitExceeded, "more than \(limits.searchCharacters) characters to search for",
                culprit: "filterBy", nextStep: "search for fewer words")
        }
        if words > limits.searchWords {
            throw RecordError(
                .limitExceeded, "more than \(limits.searchWords) words to search for", culprit: "filterBy",
                nextStep: "search for fewer words")
        }
    }
}
