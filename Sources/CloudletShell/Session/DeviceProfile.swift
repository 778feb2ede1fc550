import Foundation

/// The kind of a device, which determines screen size and storage.
public enum DeviceProfile: String, CaseIterable, Sendable {
    /// A device without special limits.
    case phone
    /// A small screen and little storage: short lists, thumbnails, no full-size pictures, and no dialog for
    /// sharing.
    case watch

    /// The maximum number of records in a list unless the command asks for fewer; nil for the default.
    public var listLimit: Int? {
        switch self {
        case .phone: nil
        case .watch: 5
        }
    }

    /// Whether the system has a dialog in which people share records and accept shares.
    var hasSharingDialog: Bool {
        switch self {
        case .phone: true
        case .watch: false
        }
    }
}
