import Foundation
internal import Records

extension CKContainer {
    /// A permission that an app can request from the signed-in person.
    public struct ApplicationPermissions: OptionSet, Sendable {
        /// The raw bits of the set.
        public let rawValue: UInt

        /// Creates a set with these raw bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Other people who use the app can find the person by e-mail address, phone number or user record,
        /// and learn the person's name.
        public static var userDiscoverability: CKContainer.ApplicationPermissions {
            CKContainer.ApplicationPermissions(rawValue: 1 << 0)
        }
    }

    /// The state of a permission request.
    public enum ApplicationPermissionStatus: Int, Sendable {
        /// The person has not been asked.
        case initialState = 0
        /// The status could not be determined; the error says why.
        case couldNotComplete = 1
        /// The person refused.
        case denied = 2
        /// The person agreed.
        case granted = 3
    }

    /// Called with the state of the permission.
    public typealias ApplicationPermissionBlock = (
        CKContainer.ApplicationPermissionStatus, (any Error)?
    ) -> Void

    /// Fetches the person's answer to a permission request.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func status(
        forApplicationPermission applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        perform({ try await $0.status(of: applicationPermission) }) { result in
            completionHandler(result.value ?? .couldNotComplete, result.error)
        }
    }

    /// The person's answer to a permission request.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.notAuthenticated` if nobody is signed in.
    public func applicationPermissionStatus(
        for applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus {
        try await perform { try await $0.status(of: applicationPermission) }
    }

    /// Requests a permission from the person through `CloudConnection.permissionPrompt`. If the person has
    /// answered before, the call returns that answer and does not ask again.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        perform({ try await $0.request(applicationPermission) }) { result in
            completionHandler(result.value ?? .couldNotComplete, result.error)
        }
    }

    /// Requests a permission from the person through `CloudConnection.permissionPrompt`. If the person has
    /// answered before, the call returns that answer and does not ask again.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.permissionFailure` if the person must be asked and the connection has no prompt;
    ///   `CKError.notAuthenticated` if nobody is signed in.
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus {
        try await perform { try await $0.request(applicationPermission) }
    }

    /// The names of these types in Swift 4.2.
    public enum Application {
        /// A permission that an app can request from the signed-in person.
        public typealias Permissions = CKContainer.ApplicationPermissions
        /// The state of a permission request.
        public typealias PermissionStatus = CKContainer.ApplicationPermissionStatus
        /// Called with the state of the permission.
        public typealias PermissionBlock = CKContainer.ApplicationPermissionBlock
    }
}

/// A permission that an app can request from the signed-in person.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissions")
public typealias CKApplicationPermissions = CKContainer.ApplicationPermissions
/// The state of a permission request.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionStatus")
public typealias CKApplicationPermissionStatus = CKContainer.ApplicationPermissionStatus
/// Called with the state of the permission.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionBlock")
public typealias CKApplicationPermissionBlock = CKContainer.ApplicationPermissionBlock
/// A permission that an app can request from the signed-in person.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissions")
public typealias CKContainer_Application_Permissions = CKContainer.ApplicationPermissions
/// The state of a permission request.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionStatus")
public typealias CKContainer_Application_PermissionStatus = CKContainer.ApplicationPermissionStatus
/// Called with the state of the permission.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionBlock")
public typealias CKContainer_Application_PermissionBlock = CKContainer.ApplicationPermissionBlock

extension CloudClient {
    fileprivate func status(
        of permission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus {
        guard permission == .userDiscoverability else {
            throw CKError.invalidArguments(
                "The permission is unknown - request userDiscoverability, which is the only one")
        }
        return switch try await userDiscoverability() {
        case nil: .initialState
        case true?: .granted
        case false?: .denied
        }
    }

    fileprivate func request(
        _ permission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus {
        let known = try await status(of: permission)
        guard known == .initialState else { return known }
        guard let prompt = connection.permissionPrompt else {
            throw CKError.make(
                .permissionFailure,
                "The person cannot be asked - set the permissionPrompt of the connection")
        }
        let isGranted = await prompt(permission, container)
        try Task.checkCancellation()
        try await setUserDiscoverability(isGranted)
        return isGranted ? .granted : .denied
    }
}

extension CloudConnection {
    /// Sets whether other users of a container may find the person of this connection. A person does this in
    /// the settings of a device, outside of the app.
    ///
    /// - Throws: `CKError.notAuthenticated` if nobody is signed in.
    public func setUserDiscoverability(_ isGranted: Bool, inContainer container: String) async throws {
        try await CloudClient(connection: self, container: container, database: .public)
            .setUserDiscoverability(isGranted)
    }
}
