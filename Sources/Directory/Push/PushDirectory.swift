package import Records

/// Stores the devices that are registered for pushes, and people's badge numbers.
///
/// - A device is kept under its token in one container and environment; a second registration replaces it.
/// - A device whose session has ended is not registered.
/// - The devices of a container in one environment are listed oldest first.
/// - Looking up a device by its token alone returns its registrations in all containers, oldest first.
/// - A device is removed from one container and environment.
/// - A badge counts up and down between 0 and the limit, whatever number was set.
/// - A person has a badge in each container and environment.
package protocol PushDirectory: Sendable {
    /// Registers a device. Replaces an earlier registration of the same token in the same container and
    /// environment. Returns false, and changes nothing, if the device's session has ended.
    func add(_ token: PushToken) async throws -> Bool

    /// The devices of a container in one environment, oldest first.
    func pushTokens(of container: String, in environment: CloudEnvironment) async throws -> [PushToken]

    /// The registrations of a device in all containers, oldest first.
    ///
    /// - Parameter text: the device's token.
    func pushTokens(_ text: String) async throws -> [PushToken]

    /// Removes a device's registration in one container and environment.
    func removePushToken(
        _ text: String, of container: String, in environment: CloudEnvironment
    ) async throws

    /// Adds to people's badges, and keeps them between 0 and `limit`. `changes` and the new numbers in the
    /// result are keyed by user record name.
    func changeBadges(
        _ changes: [String: Int], of container: String, in environment: CloudEnvironment, atMost limit: Int
    ) async throws -> [String: Int]

    /// Sets a person's badge.
    func setBadge(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws
}
