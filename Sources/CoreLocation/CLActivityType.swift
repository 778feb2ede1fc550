/// The activity of a person while an app tracks the location.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/clactivitytype>.
public enum CLActivityType: Int, Sendable {
    /// Any other activity.
    case other = 1
    /// Driving a car.
    case automotiveNavigation = 2
    /// Walking, running, cycling.
    case fitness = 3
    /// Travelling in another vehicle, such as a boat or a train.
    case otherNavigation = 4
    /// Flying.
    case airborne = 5
}

/// The orientation in which a device is held.
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
    /// Flat, with the screen up.
    case faceUp = 5
    /// Flat, with the screen down.
    case faceDown = 6
}

/// The distance to a beacon.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/clproximity>.
public enum CLProximity: Int, Sendable {
    /// Unknown.
    case unknown = 0
    /// Right next to the device.
    case immediate = 1
    /// A few metres away.
    case near = 2
    /// Farther away.
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
    /// Outside the region.
    case outside = 2
}
