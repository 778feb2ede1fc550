import Records

/// An entity of the app: a struct whose properties are stored in a record and set by commands.
protocol Model: Identifiable, Hashable, Sendable where ID == String {
    /// The type of its records. If you change it, records of the former type are no longer found.
    static var recordType: String { get }

    /// Every property but `id`. The first text property is the name by which commands find a model.
    static var properties: [Property<Self>] { get }

    init(id: String)
}

extension Model {
    static var recordType: String { "\(Self.self)" }

    /// The name of the entity in commands.
    static var word: String { recordType.lowercased() }

    /// Reads a record. A field that is missing or has another type gets the value of a new model.
    init(_ record: some ModelRecord) {
        self.init(id: record.recordName)
        for property in Self.properties { property.set(&self, record[field: property.key]) }
    }

    /// Writes the properties into a record. Other fields of the record do not change.
    func write(to record: inout some ModelRecord) {
        for property in Self.properties { record[field: property.key] = property.get(self) }
    }

    /// Its first text that is not empty, otherwise its ID.
    var displayName: String {
        for property in Self.properties {
            if case .string(let text)? = property.get(self), !text.isEmpty { return text }
        }
        return id
    }
}
