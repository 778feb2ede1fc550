public import Foundation

/// A group of operations that serve one purpose and share a default configuration.
///
/// The quality of service of its operations is `.default` unless the app sets another. One of Apple's talks
/// names `.utility` instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default
/// here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckoperationgroup>.
// Sendable because the values are behind a lock.
open class CKOperationGroup: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The amount of data that an app expects to send or receive.
    public enum TransferSize: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// Less than 1 MB.
        case kilobytes
        /// 1 to 10 MB.
        case megabytes
        /// 10 to 100 MB.
        case tensOfMegabytes
        /// 100 MB to 1 GB.
        case hundredsOfMegabytes
        /// 1 to 10 GB.
        case gigabytes
        /// 10 to 100 GB.
        case tensOfGigabytes
        /// More than 100 GB.
        case hundredsOfGigabytes
    }

    private struct Values: Codable {
        var id: String
        var name: String?
        var quantity = 0
        var sendSize = 0
        var receiveSize = 0
    }

    private let values: Locked<Values>
    private let configuration = Locked<CKOperationConfiguration.Values>(.init())

    /// Creates a group with a new ID.
    public override init() {
        // UUID(): CloudKit's interface gives each group a unique ID that no caller provides.
        values = Locked(Values(id: UUID().uuidString))
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let values = Archive.read(Values.self, as: Self.archiveKey, from: coder) else { return nil }
        self.values = Locked(values)
    }

    /// The group's unique ID.
    open var operationGroupID: String { values.withLock { $0.id } }

    /// The settings that apply to operations of the group unless they set their own. Setting nil restores the
    /// defaults. The getter and the setter copy it.
    // CloudKit declares it as an implicitly unwrapped optional.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var defaultConfiguration: CKOperation.Configuration! {
        get { CKOperationConfiguration(configuration.current) }
        set { configuration.withLock { $0 = newValue?.explicit ?? .init() } }
    }

    /// A name for the group's purpose, for logs.
    open var name: String? {
        get { values.withLock { $0.name } }
        set { values.withLock { $0.name = newValue } }
    }

    /// The number of items that the group processes; 0 by default.
    open var quantity: Int {
        get { values.withLock { $0.quantity } }
        set { values.withLock { $0.quantity = newValue } }
    }

    /// The amount of data that the app expects to send.
    open var expectedSendSize: CKOperationGroup.TransferSize {
        get { TransferSize(rawValue: values.withLock { $0.sendSize }) ?? .unknown }
        set { values.withLock { $0.sendSize = newValue.rawValue } }
    }

    /// The amount of data that the app expects to receive.
    open var expectedReceiveSize: CKOperationGroup.TransferSize {
        get { TransferSize(rawValue: values.withLock { $0.receiveSize }) ?? .unknown }
        set { values.withLock { $0.receiveSize = newValue.rawValue } }
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the group without its configuration under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(values.current, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKOperationGroup"
}
