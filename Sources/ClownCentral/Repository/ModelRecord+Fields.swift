import Records

extension ModelRecord {
    /// The value of a required field. Throws if it is missing or has another type.
    func value<Value: FieldConvertible>(_ key: String) throws -> Value {
        do {
            return try required(key)
        } catch {
            throw RepositoryError.unreadable(
                recordType: error.recordType, recordName: error.recordName, field: error.field)
        }
    }

    /// The record name in a required reference field.
    func target(_ key: String) throws -> String {
        let reference: Reference = try value(key)
        return reference.recordName
    }
}

extension Coordinate {
    init(_ location: Location) {
        self.init(latitude: location.latitude, longitude: location.longitude)
    }
}

extension Location {
    init(_ coordinate: Coordinate) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
}
