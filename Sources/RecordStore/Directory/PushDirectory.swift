package import Records

/// Devices and badges. All methods throw `RecordError`.
package protocol PushDirectory: Sendable {
    /// Remembers a device; one of the same token in the same container is replaced. False, and nothing is
    /// done, when the session that it names has ended.
    func add(_ token: PushToken) async throws -> Bool

    /// The devices of a container in one environment, oldest first.
    func pushTokens(of container: String, in environment: CloudEnvironment) async throws -> [PushToken]

    /// A registration of that token, in whichever container; nil if there is none.
    func pushToken(_ text: String) async throws -> PushToken?

    /// Forgets a device.
    func removePushToken(
        _ text: String, of container: String, in environment: CloudEnvironment
    ) async throws

    /// Adds to what people's icons show, never below 0 nor above `limit`; answers what they show then.
    func changeBadges(
        _ changes: [String: Int], of container: String, in environment: CloudEnvironment, atMost limit: Int
    ) async throws -> [String: Int]

    /// Sets what a person's icon shows.
    func setBadge(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws
}
