import Foundation

/// How much room a device has, on its screen and elsewhere.
public enum DeviceProfile: String, CaseIterable, Sendable {
    /// The usual kind.
    case phone
    /// A small screen and little room: short lists, thumbnails and no full pictures.
    case watch

    /// How many records a list shows at most, where nobody asks for fewer; nothing: as many as usual.
    public var listLimit: Int? {
        switch self {
        case .phone: nil
        case .watch: 5
        }
    }
}
