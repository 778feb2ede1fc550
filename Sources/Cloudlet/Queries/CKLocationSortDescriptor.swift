public import CoreLocation
public import Foundation

/// Sorts records by the distance between a location field and a given location, nearest first.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cklocationsortdescriptor>.
open class CKLocationSortDescriptor: NSSortDescriptor, NSSecureCoding {
    let sortKey: String
    private let place: CLLocation

    /// Creates a descriptor that sorts by the distance between the location field `key` and
    /// `relativeLocation`.
    public init(key: String, relativeLocation: CLLocation) {
        sortKey = key
        place = relativeLocation
        super.init(keyPath: \SortAnchor.position, ascending: true)
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedSort.self, as: Self.archiveKey, from: coder),
            let relativeTo = plain.relativeTo
        else { return nil }
        sortKey = plain.key
        place = CLLocation(relativeTo)
        super.init(keyPath: \SortAnchor.position, ascending: true)
    }

    /// The location that distances are measured from.
    open var relativeLocation: CLLocation { place }

    /// Returns the same object, because a descriptor is immutable.
    open override func copy() -> Any { self }

    /// Returns the same object, because a descriptor is immutable.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the field name and the location under a key of this class.
    open func encode(with coder: NSCoder) {
        let plain = ArchivedSort(key: sortKey, ascending: true, relativeTo: place.measured)
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKLocationSortDescriptor"
}

extension CKLocationSortDescriptor: KeyedSortDescriptor {}

/// The archived form of a sort descriptor.
struct ArchivedSort: Codable {
    var key: String
    var ascending: Bool
    var relativeTo: CLLocation.Measurement?

    init(key: String, ascending: Bool, relativeTo: CLLocation.Measurement? = nil) {
        self.key = key
        self.ascending = ascending
        self.relativeTo = relativeTo
    }

    /// Creates the archived form; nil if the descriptor has no key.
    init?(_ descriptor: NSSortDescriptor) {
        guard let key = descriptor.key else { return nil }
        let relativeTo = (descriptor as? CKLocationSortDescriptor)?.relativeLocation.measured
        self.init(key: key, ascending: descriptor.ascending, relativeTo: relativeTo)
    }

    var descriptor: NSSortDescriptor {
        guard let relativeTo else { return KeySortDescriptor(key, ascending: ascending) }
        return CKLocationSortDescriptor(key: key, relativeLocation: CLLocation(relativeTo))
    }
}
