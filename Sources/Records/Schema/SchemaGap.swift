/// A record type, field or index that is in use and missing from a schema.
package struct SchemaGap: Hashable, Sendable {
    package var type: String
    package var field: String?
    /// `queryable`, `sortable` or `searchable`.
    package var index: String?
    package var reason: String
    /// Whether the corrected schema contains it.
    package var isRepaired: Bool

    package init(
        type: String, field: String? = nil, index: String? = nil, reason: String, isRepaired: Bool = true
    ) {
        self.type = type
        self.field = field
        self.index = index
        self.reason = reason
        self.isRepaired = isRepaired
    }
}
