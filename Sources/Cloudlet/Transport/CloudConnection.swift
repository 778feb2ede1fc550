public import Foundation
package import Records
public import RecordsWire

/// The server, the credentials and the device settings that a container uses.
///
/// Apple's framework takes these from the app's entitlements and the device's account. Here they are a value,
/// so that two containers in one process can act for two people on two devices.
///
/// ```swift
/// let connection = CloudConnection(url: serverURL, apiToken: token, webAuthToken: session)
/// let container = CKContainer(identifier: "iCloud.com.example.parties", connection: connection)
/// ```
public struct CloudConnection: Sendable {
    /// The environment of a container; each has its own data.
    public enum Environment: String, CaseIterable, Sendable {
        /// Record types and fields are created when they are first saved.
        case development
        /// The schema is fixed: saving an unknown type or field fails.
        case production
    }

    /// Carries requests to the server. A copy of the connection shares its connections for pushes until it
    /// gets another transport.
    public var transport: any CloudTransport {
        didSet { pushes = PushSharing() }
    }

    /// The environment whose data requests read and change.
    public var environment: Environment

    /// Identifies the app; nil when the server requires no API token.
    public var apiToken: String?

    /// Authenticates the person; nil means that nobody is signed in and only public data can be read.
    public var webAuthToken: String?

    /// The account of this device, if the signed-in person can change while the app runs. It replaces
    /// `webAuthToken`.
    public var account: CloudAccount?

    /// The only sender for whom requests are sent; nil allows any. See `bound()`.
    var onlySender: String?

    /// Signs requests as the app's own server, which administers the public database. It replaces the
    /// person's session.
    public var serverKey: CloudServerKey?

    /// Identifies this installation of the app to the server.
    public var deviceName: String?

    /// The folder for downloaded assets. It may be emptied at any time.
    public var assetFolder: URL

    /// Encrypts the encrypted values of records before they are sent. All devices of a person need the same
    /// key.
    public var encryptionKey = CloudEncryptionKey.device

    /// The folder that stores long-lived operations, so that a later process can resume them; use one folder
    /// per person. With nil, these operations end with the process.
    public var operationFolder: URL?

    /// The device conditions for requests, shared by this connection and its copies.
    public var conditions = CloudConditions()

    /// The quality of service of operations that set none; `.default` by default. Convenience methods do not
    /// use it, because a person waits for them: they set `.userInitiated`.
    ///
    /// Apple's sources contradict each other about the framework's value: the session of 2015 names
    /// `.background`, the session of 2016 `.utility`, and the documentation `.default`. With `.utility`,
    /// operations are retried for seven days while there is no network; with `.default` they fail at once.
    public var defaultQualityOfService = QualityOfService.default

    /// The current time. It is the value of `now()` in predicates, and the clock of timeouts, rate limits and
    /// signatures.
    public var now: @Sendable () -> Date

    // Task.sleep: the default is the device's time, as the real framework's; tests pass their own.
    /// Waits for a duration: before a request or a push connection is tried again, and as the timeout of
    /// requests that wait for better conditions.
    public var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Returns the contacts of this device's person. They are read when the app discovers all users, and
    /// never shown to the app.
    public var addressBook: @Sendable () async throws -> [CloudContact] = { [] }

    /// Asks the person of this device to grant a permission to the app of a container; nil when nobody can be
    /// asked.
    public var permissionPrompt:
        (@Sendable (_ permission: CKContainer.ApplicationPermissions, _ container: String) async -> Bool)?

    /// Called at the start of every operation with its quality of service, which is `.default` if neither the
    /// app nor this connection has chosen one.
    package var onOperation: (@Sendable (QualityOfService) -> Void)?

    /// The limits that are checked before a request is sent. The server's own limits may be lower.
    package var limits = Limits()

    /// The server's rate limits in effect, shared by this connection and its copies.
    let gate = Locked(RequestGate())

    /// The limits that the server has published, shared by this connection and its copies.
    let learned = Locked<[(limit: Limits.Published, number: Int64)]>([])

    /// The renewed session token by the session's first token, shared by this connection and its copies.
    let renewals = Locked<[String: String]>([:])

    /// The keys of other people's zones, shared by this connection and its copies.
    let zoneKeys = ZoneKeys()

    /// The account status of each session, shared by this connection and its copies.
    let watch = Locked(AccountWatch())

    /// The connections for pushes, shared by this connection and its copies with the same transport.
    private(set) var pushes = PushSharing()

    /// Creates a connection over any transport.
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

    /// Creates a connection over HTTP to the server at `url`, such as `http://127.0.0.1:8080`.
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

    /// A folder of this process inside the system's temporary folder. It is deleted when the process exits.
    /// If the process is killed, the next process that uses such a folder deletes it.
    public static var temporaryAssetFolder: URL { assetFolderOfProcess }

    private static let assetFolderOfProcess: URL = {
        atexit { try? FileManager.default.removeItem(at: CloudConnection.assetFolderOfProcess) }
        return TemporaryFolder.claim(in: FileManager.default.temporaryDirectory, process: getpid())
    }()

    /// Sets the connection of containers that are created without one from now on. With nil, the environment
    /// variables of `default` apply again.
    public static func setDefault(_ connection: CloudConnection?) {
        chosenDefault.withLock { $0 = connection }
    }

    /// The connection of containers that are created without one: the one set with `setDefault(_:)`,
    /// otherwise one from the environment variables `CLOUDLET_URL`, `CLOUDLET_ENVIRONMENT`,
    /// `CLOUDLET_API_TOKEN` and `CLOUDLET_WEB_AUTH_TOKEN`, which `cloudlet exec` sets.
    ///
    /// If neither is set, every operation fails with `CKError.badContainer`, whose message names what to set.
    public static var `default`: CloudConnection {
        chosenDefault.current ?? environmentDefault
    }

    /// One connection for the whole process, so that all containers observe the same rate limits.
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

/// The transport when no server is configured: every request fails with `CloudTransportError.badTarget`.
private struct UnconfiguredTransport: CloudTransport {
    var address: String?

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let what = address.map { "CLOUDLET_URL is '\($0)', which is not a URL" } ?? "no server is configured"
        throw CloudTransportError.badTarget(
            "\(what); set CLOUDLET_URL, call CloudConnection.setDefault(_:), or give CKContainer a connection"
        )
    }
}
