import Records

extension QueryPlan {
    /// A hash of the query that is the same in every process and release. It ties a cursor to its query.
    var fingerprint: Int64 {
        var hash = StableHash()
        hash.add(recordType)
        hash.add(zone)
        hash.add(Int64(filters.count))
        for filter in filters { hash.add(filter) }
        for order in self.order { hash.add(order) }
        return hash.value
    }
}

/// The hash FNV-1a over an unambiguous encoding of the added values.
private struct StableHash {
    private var hash = FNV1a()

    var value: Int64 { Int64(bitPattern: hash.value) }

    mutating func add(_ byte: UInt8) { hash.add(byte) }

    mutating func add(_ integer: Int64) {
        withUnsafeBytes(of: integer.littleEndian) { for byte in $0 { add(byte) } }
    }

    mutating func add(_ real: Double) {
        add(Int64(bitPattern: real.bitPattern))
    }

    mutating func add(_ text: String) {
        add(Int64(text.utf8.count))
        for byte in text.utf8 { add(byte) }
    }

    mutating func add(_ text: String?) {
        add(text == nil ? UInt8(0) : 1)
        if let text { add(text) }
    }

    mutating func add(_ filter: Filter) {
        switch filter.key {
        case nil: add(UInt8(0))
        case .field(let name):
            add(UInt8(1))
            add(name)
        case .system(let field):
            add(UInt8(2))
            add(field.rawValue)
        }
        add(filter.comparator.rawValue)
        add(filter.value)
        add(filter.distance ?? -1)
    }

    mutating func add(_ value: FieldValue) {
        add(value.type.element.rawValue)
        switch value {
        case .string(let text): add(text)
        case .int64(let integer): add(integer)
        case .double(let real): add(real)
        case .timestamp(let time): add(time.milliseconds)
        case .bytes(let bytes):
            add(Int64(bytes.count))
            for byte in bytes { add(byte) }
        case .reference(let reference):
            add(reference.recordName)
            add(reference.zone?.name)
        case .asset(let asset): add(asset.fileChecksum)
        case .location(let place): add(place)
        case .list(_, let elements):
            add(Int64(elements.count))
            for element in elements { add(element) }
        }
    }

    mutating func add(_ place: Location) {
        add(place.latitude)
        add(place.longitude)
    }

    mutating func add(_ order: QueryPlan.Order) {
        add(order.ascending ? UInt8(1) : 0)
        switch order.key {
        case .ordinal: add(UInt8(1))
        case .sequence: add(UInt8(2))
        case .recordName: add(UInt8(3))
        case .createdBy: add(UInt8(4))
        case .modifiedBy: add(UInt8(5))
        case .parent: add(UInt8(6))
        case .field(let name):
            add(UInt8(7))
            add(name)
        case .distance(let field, let place):
            add(UInt8(8))
            add(field)
            add(place)
        }
    }
}
