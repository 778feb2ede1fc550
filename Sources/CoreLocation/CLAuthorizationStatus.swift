/// Whether an app may use location services. Nothing here finds positions, so that no app ever gets one.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/clauthorizationstatus>.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The person has not been asked.
    case notDetermined = 0
    /// The app may not, and the person cannot change that.
    case restricted = 1
    /// The person has said no.
    case denied = 2
    /// At any time.
    case authorizedAlways = 3
    /// While the app is in use.
    case authorizedWhenInUse = 4
}

/// The accuracy that an app may have.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/claccuracyauthorization>.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// Full accuracy.
    case fullAccuracy = 0
    /// A few kilometres.
    case reducedAccuracy = 1
}
