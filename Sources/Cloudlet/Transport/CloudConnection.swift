public import Foundation
package import Records
public import RecordsWire

/// How a container reaches its server, and for whom.
///
/// The real framework takes this from the app's entitlements and the device's account. Here it is a value, so
/// that two containers in one process can speak for two people on two devices.
///
/// ```swift
/// let connection = CloudConnection(url: serverURL, apiToken: token, webAuthToken: session)
/// let container = CKContainer(identifier: "iCloud.com.example.parties", connection: connection)
/// ```
public struct CloudConnection: Sendable {
    /// Where the data of a container lies.
    public enum Environment: String, Sendable {
        /// Types and fields come into being when first saved.
        case development
        /// The schema is fixed.
        case production
    }

    /// What carries requests to the server.
    public var transport: any CloudTransport

    /// Where the data lies.
    public var environment: Environment

    /// Names the app; nil when the server does not ask for it.
    public var apiToken: String?

    /// Names the person; nil means that nobody is signed in, and only public data can be read.
    public var webAuthToken: String?

    /// Who is signed in on this device, where that changes while the app goes on; it counts in place of
    /// `webAuthToken`.
    public var account: CloudAccount?

    /// Signs requests as an app's own server, which administers the public database, in place of a person.
    public var serverKey: CloudServerKey?

    /// Names this installation to the server.
    public var deviceName: String?

    /// The folder to which assets are downloaded; it may be emptied at any time.
    public var assetFolder: URL

    /// Seals encrypted values before they are sent; the same on all devices of a person.
    public var encryptionKey = CloudEncryptionKey.device

    /// The folder in which long-lived operations outlive the process, a folder for each person; nil: they end
    /// with it.
    public var operationFolder: URL?

    /// What requests may use at this moment, for this connection and its copies.
    public var conditions = CloudConditions()

    /// The quality of service of operations for which nobody has set one. Talks and documents disagree on
    /// what the framework takes: background, utility, or what `default` means.
    public var defaultQualityOfService = QualityOfService.default

    /// The moment that `now()` in a predicate means.
    public var now: @Sendable () -> Date

    // Task.sleep: the default is the device's time, as the real framework's; tests pass their own.
    /// How to let time pass before another attempt to connect for pushes.
    public var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The people whom the person of this device knows; read when an app looks for all of them, and never
    /// shown to it.
    public var addressBook: @Sendable () async throws -> [CloudContact] = { [] }

    /// Asks the person of this device for a permission that the app of that container wants; nil: nobody can
    /// be asked.
    public var permissionPrompt:
        (@Sendable (_ permission: CKContainer.ApplicationPermissions, _ container: String) async -> Bool)?

    /// What is checked before anything is sent; a server may allow less.
    package var limits = Limits()

    /// Holds back what a rate limit forbids, for this connection and its copies.
    let gate = Locked(RequestGate())

    /// What the server has said of its limits, for this connection and its copies.
    let learned = Locked<[(limit: Limits.Published, number: Int64)]>([])

    /// The token to send next in place of each that was given, for this connection and its copies.
    let renewals = Locked<[String: String]>([:])

    /// What is known of the accounts of sessions, for this connection and its copies.
    let watch = Locked(AccountWatch())

    /// A connection over any transport.
    public init(
        transport: any CloudTransport,
        environment: Environment = .development,
        apiToken: String? = nil,
        webAuthToken: String? = nil,
        deviceName: String? = nil,
        assetFolder: URL = CloudConnection.temporaryAssetFolder,
        // Date(): the default is the device's clock, as the real framework's; tests pass their own.
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.transport = transport
        self.environment = environment
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
        self.deviceName = deviceName
        self.assetFolder = assetFolder
        self.now = now
    }

    /// A connection over HTTP to the server at that address, such as `http://127.0.0.1:8080`.
    public init(
        url: URL,
        environment: Environment = .development,
        apiToken: String? = nil,
        webAuthToken: String? = nil,
        deviceName: String? = nil,
        assetFolder: URL = CloudConnection.temporaryAssetFolder
    ) {
        self.init(
            transport: HTTPTransport(url: url),
            environment: environment,
            apiToken: apiToken,
            webAuthToken: webAuthToken,
            deviceName: deviceName,
            assetFolder: assetFolder
        )
    }

    /// A folder of this process below the system's temporary one, which goes when the process exits; that of
    /// a process which was killed goes when the next one starts.
    public static var temporaryAssetFolder: URL { assetFolderOfProcess }

    private static let assetFolderOfProcess: URL = {
        atexit { try? FileManager.default.removeItem(at: CloudConnection.assetFolderOfProcess) }
        let (place, process) = (FileManager.default.temporaryDirectory, getpid())
        return TemporaryFolder.claim(in: place, process: process)
            ?? place.appendingPathComponent("cloudlet-files-\(process)")
    }()

    /// Makes this the connection of containers that are created without one, from now on.
    public static func setDefault(_ connection: CloudConnection?) {
        chosenDefault.withLock { $0 = connection }
    }

    /// The connection of containers that are created without one: the one set with `setDefault(_:)`, else
    /// that of the environment variables `CLOUDLET_URL`, `CLOUDLET_ENVIRONMENT`, `CLOUDLET_API_TOKEN` and
    /// `CLOUDLET_WEB_AUTH_TOKEN`, which `cloudlet exec` sets.
    ///
    /// Without any of these, every operation fails with `CKError.badContainer` and says what to set.
    public static var `default`: CloudConnection {
        chosenDefault.current ?? environmentDefault
    }

    /// One connection for the whole process, so that all containers heed the same rate limit.
    private static let environmentDefault = CloudConnection(
        environmentVariables: ProcessInfo.processInfo.environment)

    init(environmentVariables variables: [String: String]) {
        let address = variables["CLOUDLET_URL"]
        let transport: any CloudTransport =
            if let address, let url = URL(string: address), url.scheme != nil {
                HTTPTransport(url: url)
            } else {
                UnconfiguredTransport(address: address)
            }
        self.init(
            transport: transport,
            environment: variables["CLOUDLET_ENVIRONMENT"].flatMap(Environment.init(rawValue:))
                ?? .development,
            apiToken: variables["CLOUDLET_API_TOKEN"],
            webAuthToken: variables["CLOUDLET_WEB_AUTH_TOKEN"]
        )
    }

    private static let chosenDefault = Locked<CloudConnection?>(nil)
}

/// Stands where nobody has said which server to use.
private struct UnconfiguredTransport: CloudTransport {
    var address: String?

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let what = address.map { "CLOUDLET_URL is '\($0)', which is no address" } ?? "no server is configured"
        throw CloudTransportError.badTarget(
            "\(what); set CLOUDLET_URL, call CloudConnection.setDefault(_:), or give CKContainer a connection"
        )
    }
}
