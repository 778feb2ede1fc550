import Foundation

extension CKContainer {
    /// Runs the body with a copy of the container whose calls use the given configuration and operation
    /// group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil,
        group: CKOperationGroup? = nil,
        body: (_ configuredContainer: CKContainer) throws -> R
    ) rethrows -> R {
        try body(CKContainer(core, configuration: configuration, group: group))
    }

    /// Runs the body with a copy of the container whose calls use the given configuration and operation
    /// group.
    @discardableResult
    @preconcurrency
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil,
        group: CKOperationGroup? = nil,
        body: @Sendable (_ configuredContainer: CKContainer) async throws -> R
    ) async rethrows -> R {
        try await body(CKContainer(core, configuration: configuration, group: group))
    }
}
