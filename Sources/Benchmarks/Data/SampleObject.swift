import MirroredStore

/// An item of `SampleRecord` as an object of a mirrored store, with a relationship to its parent.
enum SampleObject {
    /// The zone of the records.
    static let zone = "com.apple.coredata.cloudkit.zone"

    /// The entities.
    static func layout() throws -> StoreLayout {
        try StoreLayout([
            .init(
                "Item",
                attributes: [.init("title", .string), .init("guests", .integer64), .init("starts", .date)],
                relationships: [.init("parent", to: "Parent", inverse: "items")]),
            .init(
                "Parent", attributes: [.init("title", .string)],
                relationships: [.init("items", to: "Item", inverse: "parent", isToMany: true)]),
        ])
    }

    /// The operation that creates a record, in the server's JSON. The first `parents` records are parents.
    static func creation(_ number: Int, parents: Int, seed: UInt64) -> String {
        let sample = SampleRecord(number: number, seed: seed)
        let (name, title) = (name(number), "\"CD_title\":{\"value\":\"\(sample.title)\",\"type\":\"STRING\"}")
        func operation(_ entity: String, _ fields: String) -> String {
            """
            {"operationType":"create","record":{"recordName":"\(name)","recordType":"CD_\(entity)",\
            "fields":{"CD_entityName":{"value":"\(entity)","type":"STRING"},\(fields)}}}
            """
        }
        if number < parents { return operation("Parent", title) }
        return operation(
            "Item",
            """
            \(title),"CD_guests":{"value":\(sample.guests),"type":"INT64"},\
            "CD_starts":{"value":\(sample.starts),"type":"TIMESTAMP"},\
            "CD_parent":{"value":"\(Self.name(number % parents))","type":"STRING"}
            """)
    }

    /// A name with the length of a UUID.
    private static func name(_ number: Int) -> String {
        let digits = String(number)
        return "0000BEEF-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
