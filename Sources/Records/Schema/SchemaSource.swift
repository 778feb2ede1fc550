/// A place in a text, counted from 1.
package struct TextPlace: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A schema with the places of its parts, so that a refusal can point at the line to mend.
package struct SchemaSource: Hashable, Sendable {
    /// What a schema consists of.
    package enum Part: Hashable, Sendable {
        case role(String)
        case type(String)
        case field(String, of: String)
    }

    package var schema: Schema
    package var places: [Part: TextPlace]

    package init(_ schema: Schema, places: [Part: TextPlace] = [:]) {
        self.schema = schema
        self.places = places
    }

    /// Where a part stands; for one that is left out, the part that should hold it.
    package func place(of part: Part) -> TextPlace {
        if let place = places[part] { return place }
        if case .field(_, let type) = part, let place = places[.type(type)] { return place }
        return TextPlace(line: 1, column: 1)
    }
}
