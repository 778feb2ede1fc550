/// What a person does while an app follows the position.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/clactivitytype>.
public enum CLActivityType: Int, Sendable {
    /// Anything else.
    case other = 1
    /// Driving a car.
    case automotiveNavigation = 2
    /// Walking, running, cycling.
    case fitness = 3
    /// Another vehicle: a boat, a train.
    case otherNavigation = 4
    /// Flying.
    case airborne = 5
}

/// How a device is held.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/cldeviceorientation>.
public enum CLDeviceOrientation: Int32, Sendable {
    /// Unknown.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// On its right side.
    case landscapeLeft = 3
    /// On its left side.
    case landscapeRight = 4
    /// Flat, the screen up.
    case faceUp = 5
    /// Flat, the screen down.
    case faceDown = 6
}

/// The distance of a beacon.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/clproximity>.
public enum CLProximity: Int, Sendable {
    /// Unknown.
    case unknown = 0
    /// Directly at the device.
    case immediate = 1
    /// Some metres.
    case near = 2
    /// More than that.
    case far = 3
}

/// Whether a device is in a region.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/clregionstate>.
public enum CLRegionState: Int, Sendable {
    /// Unknown.
    case unknown = 0
    /// In the region.
    case inside = 1
    /// Outside of it.
    case outside = 2
}
