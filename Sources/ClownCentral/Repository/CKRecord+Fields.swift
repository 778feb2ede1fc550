// Owns reading the fields that a model cannot do without.
import Cloudlet
import Foundation

extension CKRecord {
    /// The text of a field that has to be there.
    func text(_ key: FieldKey) throws -> String {
        guard let text = self[key] as? String else { throw unreadable(key) }
        return text
    }

    /// The record name that a reference field points at.
    func target(_ key: FieldKey) throws -> String {
        guard let reference = self[key] as? CKRecord.Reference else { throw unreadable(key) }
        return reference.recordID.recordName
    }

    /// The complaint that this record cannot be read because of one field.
    func unreadable(_ key: FieldKey) -> RepositoryError {
        .unreadable(recordType: recordType, recordName: recordID.recordName, field: key)
    }
}

extension Coordinate {
    init(_ location: CLLocation) {
        self.init(latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
    }
}

extension CLLocation {
    convenience init(_ coordinate: Coordinate) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
}
