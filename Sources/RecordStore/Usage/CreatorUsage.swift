import Records

/// What the records that one person created take up in a zone.
package struct CreatorUsage: Hashable, Sendable {
    /// The user record name.
    package var person: String
    package var usage: StoreUsage

    package init(person: String, usage: StoreUsage) {
        self.person = person
        self.usage = usage
    }

    /// Whether this one is listed before another: the larger one first, and by name if they are equal.
    package func precedes(_ other: CreatorUsage) -> Bool {
        if usage.total != other.usage.total { return usage.total > other.usage.total }
        return person.precedesInBytes(other.person)
    }
}
