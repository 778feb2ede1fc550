public import Foundation

/// Operations that serve one purpose, with a configuration in common.
// Sendable because the values lie behind a lock.
open class CKOperationGroup: NSObject, NSSecureCoding, @unchecked Sendable {
    /// How much an app expects to send or receive.
    public enum TransferSize: Int, Sendable {
        /// Not known.
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

    /// A new group.
    public override init() {
        // UUID(): the interface makes every group's ID unique without being given one.
        values = Locked(Values(id: UUID().uuidString))
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let values = Archive.read(Values.self, as: Self.archiveKey, from: coder) else { return nil }
        self.values = Locked(values)
    }

    /// Names the group.
    open var operationGroupID: String { values.withLock { $0.id } }

    /// What operations of the group do not set themselves; setting nil restores the defaults. Copied in and
    /// out.
    // The framework declares it so.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var defaultConfiguration: CKOperation.Configuration! {
        get { CKOperationConfiguration(configuration.current) }
        set { configuration.withLock { $0 = newValue?.explicit ?? .init() } }
    }

    /// The purpose, for people.
    open var name: String? {
        get { values.withLock { $0.name } }
        set { values.withLock { $0.name = newValue } }
    }

    /// How many things the group is about; 0 at first.
    open var quantity: Int {
        get { values.withLock { $0.quantity } }
        set { values.withLock { $0.quantity = newValue } }
    }

    /// How much will be sent.
    open var expectedSendSize: CKOperationGroup.TransferSize {
        get { TransferSize(rawValue: values.withLock { $0.sendSize }) ?? .unknown }
        set { values.withLock { $0.sendSize = newValue.rawValue } }
    }

    /// How much will be received.
    open var expectedReceiveSize: CKOperationGroup.TransferSize {
        get { TransferSize(rawValue: values.withLock { $0.receiveSize }) ?? .unknown }
        set { values.withLock { $0.receiveSize = newValue.rawValue } }
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the group, without its configuration, under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(values.current, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKOperationGroup"
}
