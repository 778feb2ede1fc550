public import Foundation

/// How a position was found.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/cllocationsourceinformation>.
// Sendable because its only property is immutable.
open class CLLocationSourceInformation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The archived form.
    package struct Known: Codable, Hashable, Sendable {
        package var isSimulated: Bool
        package var isOfAccessory: Bool
    }

    let known: Known

    /// Creates information that says whether software simulated the position, and whether an accessory found
    /// it.
    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        known = Known(isSimulated: isSoftware, isOfAccessory: isAccessory)
    }

    init(_ known: Known) {
        self.known = known
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let known = LocationArchive.read(Known.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.known = known
    }

    /// Whether software simulated the position.
    open var isSimulatedBySoftware: Bool { known.isSimulated }

    /// Whether an accessory found the position.
    open var isProducedByAccessory: Bool { known.isOfAccessory }

    /// Returns the same object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes both properties under a key of this class.
    open func encode(with coder: NSCoder) {
        LocationArchive.write(known, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CLLocationSourceInformation"
}
