/// A line and column of a text, both counted from 1.
package struct TextPlace: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A schema with the position of each part in its text, so that an error can name the line.
package struct SchemaSource: Hashable, Sendable {
    /// A part of a schema.
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

    /// The position of a part. A missing part has the position of the part that should contain it.
    package func place(of part: Part) -> TextPlace {
        if let place = places[part] { return place }
        if case .field(_, let type) = part, let place = places[.type(type)] { return place }
        return TextPlace(line: 1, column: 1)
    }
}
