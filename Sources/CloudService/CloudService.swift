import AssetStore
import Crypto
package import RecordStore
package import Records
import Synchronization

/// The decisions of the server. Knows neither HTTP nor JSON nor SQL; the door asks it, it asks the stores.
package final class CloudService: Sendable {
    package let limits: Limits
    package let runtime: ServerRuntime
    /// What goes wrong on purpose.
    package let faults: FaultInjector
    /// The bytes on their way to and from clients.
    package let traffic: Traffic
    let directory: any Directory
    let databases: any DatabaseProvider
    let codec: any FieldCodec
    let schemas: SchemaCache
    let signer: ReceiptSigner
    let sessions = Mutex(SessionCache())
    let meter = RequestMeter()
    /// What would hold up other requests where it was asked for.
    let slowWork: SlowWork
    /// What was saved and asked for since the server started.
    let usage = Mutex<[SchemaCache.Place: SchemaUsage]>([:])
    /// How often a person may ask, where that was changed since the start.
    let personRateOverride = Mutex<RequestRate?>(nil)
    let quotas = Mutex(QuotaBook())
    let containerCache = Mutex(ContainerCache())
    let credentials = Mutex(CredentialCache())
    let passwords: PasswordHasher
    /// The outboxes of devices, and the trace of pushes.
    package let pushes: PushHub
    let registry: DeviceRegistry
    /// When this server began: what it had to tell before, it does not remember.
    let started: Timestamp
    let signInLimiter = Mutex(SignInLimiter())
    let uploads = Mutex(UploadLedger())
    let uploadHousekeeping = WakeUp()
    let replays: Mutex<ReplayCache>
    /// Proves that web auth tokens are ours.
    let tokenKey: SymmetricKey
    /// Proves that cursors and change tokens are ours.
    let seal: TokenSeal
    /// Whether all comers may sign in by name and use any container, as in development.
    package let isOpen: Bool
    /// Whether faults can be set from outside.
    let takesFaults: Bool

    package init(
        directory: any Directory,
        databases: any DatabaseProvider,
        codec: any FieldCodec,
        runtime: ServerRuntime,
        limits: Limits = Limits(),
        isOpen: Bool = true,
        takesFaults: Bool = true,
        tokenKey: [UInt8],
        passwordCost: PasswordCost = PasswordCost(),
        faults: FaultInjector = FaultInjector(),
        threads: WorkThreads
    ) {
        self.directory = directory
        self.databases = databases
        self.codec = codec
        self.runtime = runtime
        self.limits = limits
        traffic = Traffic(limits)
        self.isOpen = isOpen
        self.takesFaults = takesFaults
        self.tokenKey = SymmetricKey(data: tokenKey)
        seal = TokenSeal(key: self.tokenKey)
        passwords = PasswordHasher(cost: passwordCost)
        self.faults = faults
        pushes = PushHub(runtime: runtime, limits: limits, faults: faults)
        registry = DeviceRegistry(directory: directory)
        started = runtime.now()
        replays = Mutex(ReplayCache(began: started, limits: limits))
        schemas = SchemaCache(directory: directory)
        signer = ReceiptSigner(key: runtime.randomBytes(32))
        slowWork = SlowWork(threads: threads, limits: limits, uptime: runtime.uptime)
    }
}
