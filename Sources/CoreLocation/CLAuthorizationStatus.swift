/// Whether an app may use location services. This module does not determine locations, so an app never
/// receives one.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/clauthorizationstatus>.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The person has not been asked.
    case notDetermined = 0
    /// The app may not use location services, and the person cannot change that.
    case restricted = 1
    /// The person has denied access.
    case denied = 2
    /// The app may use location services at any time.
    case authorizedAlways = 3
    /// The app may use location services while it is in use.
    case authorizedWhenInUse = 4
}

/// The accuracy that an app may have.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/claccuracyauthorization>.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// Full accuracy.
    case fullAccuracy = 0
    /// An accuracy of a few kilometres.
    case reducedAccuracy = 1
}
