// Owns the values that a field of a record on the device can hold, as apps see them.

public import Foundation
package import Records

/// The value of a field of a `ReplicaRecord`.
///
/// ```swift
/// note["text"] = "Bring balloons"
/// if case .text(let text)? = note["text"] { show(text) }
/// ```
public enum ReplicaValue: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A number.
    case real(Double)
    /// A moment; kept in whole milliseconds, and no further than 292 million years away.
    case date(Date)
    /// Bytes, for what is small.
    case data(Data)
    /// The record that this one points at.
    case reference(ReplicaReference)
    /// A file; `LocalReplica.keepFile(at:)` makes one.
    case asset(ReplicaAsset)
    /// A place on the globe, in degrees.
    case location(latitude: Double, longitude: Double)
    /// Values of one kind.
    case list([ReplicaValue])
}

/// A pointer from one record to another.
public struct ReplicaReference: Hashable, Sendable {
    /// The name of the record that is pointed at.
    public var name: String
    /// The zone that it lies in; nil: that of the record that points.
    public var zone: String?
    /// Whether the record that points goes when the one that it points at goes.
    public var deletesSelf: Bool

    /// A pointer.
    public init(name: String, zone: String? = nil, deletesSelf: Bool = false) {
        self.name = name
        self.zone = zone
        self.deletesSelf = deletesSelf
    }
}

/// A file that a record carries: named by its content, so that equal files are kept once.
public struct ReplicaAsset: Hashable, Sendable {
    /// Names the content.
    public let checksum: String
    /// The length in bytes.
    public let byteCount: Int

    package init(checksum: String, byteCount: Int) {
        self.checksum = checksum
        self.byteCount = byteCount
    }
}

extension ReplicaValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .real(value) }
}

extension ReplicaValue {
    package init(_ value: FieldValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .timestamp(let moment): self = .date(moment.date)
        case .bytes(let bytes): self = .data(Data(bytes))
        case .reference(let reference):
            self = .reference(
                ReplicaReference(
                    name: reference.recordName, zone: reference.zone?.name,
                    deletesSelf: reference.action == .deleteSelf))
        case .asset(let asset):
            self = .asset(ReplicaAsset(checksum: asset.fileChecksum, byteCount: Int(asset.size)))
        case .location(let place): self = .location(latitude: place.latitude, longitude: place.longitude)
        case .list(_, let values): self = .list(values.map { ReplicaValue($0) })
        }
    }

    /// The value in the vocabulary of the server.
    package var fieldValue: FieldValue {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .int64(number)
        case .real(let number): .double(number)
        case .date(let date): .timestamp(Timestamp(date))
        case .data(let data): .bytes([UInt8](data))
        case .reference(let reference):
            .reference(
                Reference(
                    recordName: reference.name, zone: reference.zone.map { ZoneID(name: $0) },
                    action: reference.deletesSelf ? .deleteSelf : .none))
        case .asset(let asset):
            .asset(Asset(fileChecksum: asset.checksum, size: Int64(asset.byteCount)))
        case .location(let latitude, let longitude):
            .location(Location(latitude: latitude, longitude: longitude))
        case .list(let values):
            .list(values.first?.scalarType ?? .string, values.map(\.fieldValue))
        }
    }

    private var scalarType: ScalarType {
        if case .scalar(let type) = fieldValue.type { type } else { .string }
    }
}
