public import Foundation

/// Orders records by the distance of a location field to a place, nearest first (API sheet 10.2; talk 1,
/// "Queries").
open class CKLocationSortDescriptor: NSSortDescriptor, NSSecureCoding {
    let sortKey: String
    private let place: CLLocation

    /// Orders by the distance of the location in that field to that place.
    public init(key: String, relativeLocation: CLLocation) {
        sortKey = key
        place = relativeLocation
        super.init(keyPath: \SortAnchor.position, ascending: true)
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainSort.self, as: Self.archiveKey, from: coder),
            let relativeTo = plain.relativeTo
        else { return nil }
        sortKey = plain.key
        place = CLLocation(relativeTo)
        super.init(keyPath: \SortAnchor.position, ascending: true)
    }

    /// The place that distances are measured to.
    open var relativeLocation: CLLocation { place }

    /// Descriptors do not change, so a copy is the same object.
    open override func copy() -> Any { self }

    /// Descriptors do not change, so a copy is the same object.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes key and place under a key of this class.
    open func encode(with coder: NSCoder) {
        let plain = PlainSort(key: sortKey, ascending: true, relativeTo: place.measured)
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKLocationSortDescriptor"
}

extension CKLocationSortDescriptor: KeyedSortDescriptor {}

/// A sort descriptor as archives hold it.
struct PlainSort: Codable {
    var key: String
    var ascending: Bool
    var relativeTo: CLLocation.Measurement?

    init(key: String, ascending: Bool, relativeTo: CLLocation.Measurement? = nil) {
        self.key = key
        self.ascending = ascending
        self.relativeTo = relativeTo
    }

    /// nil when the descriptor does not say what it orders by.
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
