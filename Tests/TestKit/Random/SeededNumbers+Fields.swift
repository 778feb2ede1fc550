import Records

extension SeededNumbers {
    mutating func fields() -> Fields {
        var fields = Fields()
        for _ in 0..<Int.random(in: 0...8, using: &self) {
            let type = FieldType.allCases.randomElement(using: &self) ?? .scalar(.string)
            fields[name()] = Field(value(type), isEncrypted: Int.random(in: 0..<6, using: &self) == 0)
        }
        return fields
    }

    /// A field name: usually an ordinary one, sometimes one that needs escapes.
    mutating func name() -> String {
        let letters = Array("abcdefgXYZ_0189")
        let count = Int.random(in: 1...10, using: &self)
        let word = String((0..<count).compactMap { _ in letters.randomElement(using: &self) })
        return Int.random(in: 0..<10, using: &self) == 0 ? word + text() : word
    }

    mutating func text() -> String {
        let scalars = Array(
            "abc de\"\\/\n\t\u{0}\u{1F}\u{7F}äß€\u{2028}🤡\u{FFFD}\u{10FFFF}e\u{301}".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &self) {
            text.append(scalars.randomElement(using: &self) ?? "x")
        }
        return String(text)
    }

    mutating func value(_ type: FieldType) -> FieldValue {
        guard type.isList else { return scalar(type.element) }
        let count = Int.random(in: 0...4, using: &self)
        return .list(type.element, (0..<count).map { _ in scalar(type.element) })
    }

    private mutating func scalar(_ type: ScalarType) -> FieldValue {
        switch type {
        case .string: .string(text())
        case .int64: .int64(int())
        case .double: .double(double())
        case .timestamp: .timestamp(Timestamp(milliseconds: int()))
        case .bytes: .bytes(bytes())
        case .reference: .reference(reference())
        case .asset: .asset(asset())
        case .location: .location(location())
        }
    }

    mutating func int() -> Int64 {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: [.min, .max, 0, -1, 1].randomElement(using: &self) ?? 0
        case 1: Int64.random(in: -1000...1000, using: &self)
        default: Int64(truncatingIfNeeded: next())
        }
    }

    mutating func double() -> Double {
        switch Int.random(in: 0..<4, using: &self) {
        case 0:
            [0, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .ulpOfOne, 0.1, 1e22, 1e23]
                .randomElement(using: &self) ?? 0
        case 1: Double(Int64.random(in: -1_000_000...1_000_000, using: &self)) / 1000
        default:
            [Double(bitPattern: next())].first { $0.isFinite } ?? 0.5
        }
    }

    mutating func bytes() -> [UInt8] {
        (0..<Int.random(in: 0...20, using: &self)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    mutating func zone() -> ZoneID {
        ZoneID(name: "Z" + name(), owner: Bool.random(using: &self) ? "_" + name() : nil)
    }

    private mutating func reference() -> Reference {
        Reference(
            recordName: name(),
            zone: Bool.random(using: &self) ? zone() : nil,
            action: [.none, .deleteSelf, .validate].randomElement(using: &self) ?? .none
        )
    }

    private mutating func asset() -> Asset {
        Asset(
            fileChecksum: text(),
            size: int() & .max,
            wrappingKey: Bool.random(using: &self) ? text() : nil,
            referenceChecksum: Bool.random(using: &self) ? text() : nil
        )
    }

    private mutating func location() -> Location {
        var location = Location(
            latitude: Double.random(in: -90...90, using: &self),
            longitude: Double.random(in: -180...180, using: &self)
        )
        if Bool.random(using: &self) { location.altitude = double() }
        if Bool.random(using: &self) { location.course = double() }
        if Bool.random(using: &self) { location.timestamp = Timestamp(milliseconds: int()) }
        return location
    }

    mutating func query() -> Query {
        var query = Query(recordType: name())
        for comparator in Comparator.allCases where Int.random(in: 0..<8, using: &self) == 0 {
            let isToken = comparator == .containsAllTokens || comparator == .containsAnyTokens
            let key: QueryKey? = isToken && Bool.random(using: &self) ? nil : .field("f" + name())
            let type = FieldType.allCases.randomElement(using: &self) ?? .scalar(.string)
            let distance = comparator == .near ? Double.random(in: 0...1e6, using: &self) : nil
            query.filters.append(Filter(key, comparator, value(type), distance: distance))
        }
        for field in SystemField.allCases where Int.random(in: 0..<8, using: &self) == 0 {
            let place = Bool.random(using: &self) ? location() : nil
            query.sorts.append(
                Sort(.system(field), ascending: Bool.random(using: &self), relativeTo: place)
            )
        }
        return query
    }
}
