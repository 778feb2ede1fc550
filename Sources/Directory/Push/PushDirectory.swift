package import Records

/// Devices and badges.
///
/// - A device is kept under its token in one container and environment; a second registration replaces it.
/// - A device whose session has ended is not registered.
/// - The devices of a container in one environment are listed oldest first.
/// - Looking up a device by its token alone returns the oldest registration in any container.
/// - A device is removed from one container and environment.
/// - A badge counts up and down between 0 and the limit, whatever number was set.
/// - A person has a badge in each container and environment.
package protocol PushDirectory: Sendable {
    /// Adds a device. An earlier registration of the token in the same container and environment is replaced.
    /// Returns false, and changes nothing, when the device's session has ended.
    func add(_ token: PushToken) async throws -> Bool

    /// The devices of a container in one environment, oldest first.
    func pushTokens(of container: String, in environment: CloudEnvironment) async throws -> [PushToken]

    /// The oldest registration of that token, in any container; nil if there is none.
    func pushToken(_ text: String) async throws -> PushToken?

    /// Removes a device.
    func removePushToken(
        _ text: String, of container: String, in environment: CloudEnvironment
    ) async throws

    /// Adds to people's badges, within 0 and `limit`. Returns the new numbers.
    func changeBadges(
        _ changes: [String: Int], of container: String, in environment: CloudEnvironment, atMost limit: Int
    ) async throws -> [String: Int]

    /// Sets a person's badge.
    func setBadge(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws
}
