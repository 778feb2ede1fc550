public import Foundation

/// The floor of a building.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/clfloor>.
// Sendable because its only property is immutable.
open class CLFloor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let known: Int

    /// Creates the floor at ground level.
    public override init() {
        known = 0
    }

    init(level: Int) {
        known = level
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let level = LocationArchive.read(Int.self, as: Self.archiveKey, from: coder) else { return nil }
        known = level
    }

    /// The number of the floor; 0 at ground level.
    open var level: Int { known }

    /// Returns the same object, because a floor is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the level under a key of this class.
    open func encode(with coder: NSCoder) {
        LocationArchive.write(level, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CLFloor"
}
