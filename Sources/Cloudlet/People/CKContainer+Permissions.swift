import Foundation
internal import Records

extension CKContainer {
    /// What an app may ask a person for.
    public struct ApplicationPermissions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// The permissions of those bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Others who use the app, and know the person's e-mail address, phone number or user record, may
        /// find the person and learn the name.
        public static var userDiscoverability: CKContainer.ApplicationPermissions {
            CKContainer.ApplicationPermissions(rawValue: 1 << 0)
        }
    }

    /// What became of a permission.
    public enum ApplicationPermissionStatus: Int, Sendable {
        /// The person was never asked.
        case initialState = 0
        /// It could not be found out; an error says why.
        case couldNotComplete = 1
        /// The person said no.
        case denied = 2
        /// The person said yes.
        case granted = 3
    }

    /// Hears what became of a permission.
    public typealias ApplicationPermissionBlock = (
        CKContainer.ApplicationPermissionStatus, (any Error)?
    ) -> Void

    /// What the person said when asked for a permission.
    @preconcurrency
    public func status(
        forApplicationPermission applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        perform({ try await $0.status(of: applicationPermission) }) { result in
            completionHandler(result.value ?? .couldNotComplete, result.error)
        }
    }

    /// What the person said when asked for a permission; throws `CKError.notAuthenticated` for nobody.
    public func applicationPermissionStatus(
        for applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus {
        try await perform { try await $0.status(of: applicationPermission) }
    }

    /// Asks the person for a permission, unless that was done before: then the answer is the one of that
    /// time.
    ///
    /// The person is asked by `CloudConnection.permissionPrompt`.
    @preconcurrency
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        perform({ try await $0.request(applicationPermission) }) { result in
            completionHandler(result.value ?? .couldNotComplete, result.error)
        }
    }

    /// Asks the person for a permission, unless that was done before: then the answer is the one of that
    /// time.
    ///
    /// The person is asked by `CloudConnection.permissionPrompt`; without one, nobody can be asked, and this
    /// throws `CKError.permissionFailure`. For nobody it throws `CKError.notAuthenticated`.
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus {
        try await perform { try await $0.request(applicationPermission) }
    }

    /// Names of Swift 4.2.
    public enum Application {
        /// What an app may ask a person for.
        public typealias Permissions = CKContainer.ApplicationPermissions
        /// What became of a permission.
        public typealias PermissionStatus = CKContainer.ApplicationPermissionStatus
        /// Hears what became of a permission.
        public typealias PermissionBlock = CKContainer.ApplicationPermissionBlock
    }
}

/// What an app may ask a person for.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissions")
public typealias CKApplicationPermissions = CKContainer.ApplicationPermissions
/// What became of a permission.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionStatus")
public typealias CKApplicationPermissionStatus = CKContainer.ApplicationPermissionStatus
/// Hears what became of a permission.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionBlock")
public typealias CKApplicationPermissionBlock = CKContainer.ApplicationPermissionBlock
/// What an app may ask a person for.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissions")
public typealias CKContainer_Application_Permissions = CKContainer.ApplicationPermissions
/// What became of a permission.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionStatus")
public typealias CKContainer_Application_PermissionStatus = CKContainer.ApplicationPermissionStatus
/// Hears what became of a permission.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionBlock")
public typealias CKContainer_Application_PermissionBlock = CKContainer.ApplicationPermissionBlock

extension CloudClient {
    fileprivate func status(
        of permission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus {
        guard permission == .userDiscoverability else {
            throw CKError.invalidArguments("The one permission to ask for is userDiscoverability.")
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
                .permissionFailure, "Nobody can be asked - give the connection a permissionPrompt")
        }
        let isGranted = await prompt(permission, container)
        try Task.checkCancellation()
        try await setUserDiscoverability(isGranted)
        return isGranted ? .granted : .denied
    }
}

extension CloudConnection {
    /// Sets whether others may find the person of this connection in a container, as the person does in the
    /// settings of a device, outside of the app.
    ///
    /// - Throws: `CKError`: `notAuthenticated` for nobody.
    public func setUserDiscoverability(_ isGranted: Bool, inContainer container: String) async throws {
        try await CloudClient(connection: self, container: container, database: .public)
            .setUserDiscoverability(isGranted)
    }
}
