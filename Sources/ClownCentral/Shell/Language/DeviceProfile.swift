// Owns what kinds of device there are.
import Foundation

/// How much room a device has, on its screen and elsewhere.
enum DeviceProfile: String, CaseIterable, Sendable {
    case phone
    /// A small screen and little room: short lists, thumbnails and no full photos.
    case watch

    /// How many records a list shows at most, where nobody asks for fewer; nothing: as many as usual.
    var listLimit: Int? {
        switch self {
        case .phone: nil
        case .watch: 5
        }
    }
}
