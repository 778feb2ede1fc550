import Records

/// A kind of thing that the app keeps: a struct whose properties are stored in a record and can be typed.
protocol Model: Identifiable, Hashable, Sendable where ID == String {
    /// The type of its records. Records of another type are not found any more.
    static var recordType: String { get }

    /// Every property but `id`. The first text is the name that commands know the model by.
    static var properties: [Property<Self>] { get }

    init(id: String)
}

extension Model {
    static var recordType: String { "\(Self.self)" }

    /// The word for it in commands.
    static var word: String { recordType.lowercased() }

    /// The keys of its lists.
    static var listKeys: [String] {
        properties.filter { if case .texts = $0.kind { true } else { false } }.map(\.key)
    }

    /// Reads a record. A field that is missing, or of another type, is as in a new model.
    init(_ record: some ModelRecord) {
        self.init(id: record.recordName)
        for property in Self.properties { property.set(&self, record[field: property.key]) }
    }

    /// Writes the properties into a record, whose other fields stay as they are.
    func write(to record: inout some ModelRecord) {
        for property in Self.properties { record[field: property.key] = property.get(self) }
    }

    /// Its first text, or its ID while that is empty.
    var displayName: String {
        for property in Self.properties {
            if case .string(let text)? = property.get(self), !text.isEmpty { return text }
        }
        return id
    }
}
