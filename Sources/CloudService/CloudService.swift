import AssetStore
import Crypto
package import Directory
import RecordStore
package import Records

/// The server's services, one for each subject; each owns its state. They do not depend on HTTP, JSON or SQL.
///
/// A service calls services of earlier rows only, so the calls have no cycles:
///
/// 1. `RateLimiter`, `ContainerRegistry`, `SchemaCache`, `SchemaUsageLog`, `QuotaService`, `SlowWork`,
///    `DeviceService` with its `PushHub`: no other service.
/// 2. `DatabaseService`: `ContainerRegistry`, `SchemaCache`, `QuotaService`, `DeviceService`, `SlowWork`.
///    `TelemetryService`: `ContainerRegistry`, the `PushHub`.
///    `SessionService`: `ContainerRegistry`, `DeviceService`.
/// 3. `CredentialService`: `ContainerRegistry`, `SessionService`.
///    `PushService`: `DatabaseService`, `DeviceService`, `SchemaCache`, `RateLimiter`.
///    `AssetService`: `DatabaseService`, `SessionService`, `ContainerRegistry`, `QuotaService`,
///    `SchemaCache`, `RateLimiter`.
/// 4. `RecordService`: `DatabaseService`, `AssetService`, `QuotaService`, `SchemaCache`, `SchemaUsageLog`,
///    `CredentialService`, `RateLimiter`.
///    `ZoneService`: `DatabaseService`, `AssetService`.
///    `ShareService`: `DatabaseService`, `SchemaCache`.
///    `SchemaService`: `DatabaseService`, `AssetService`, `ContainerRegistry`, `SchemaCache`,
///    `SchemaUsageLog`, `SlowWork`.
///    `NodeService`: `RateLimiter`, and all services that cache something of the directory.
///    `ContainerService`: `DatabaseService`, and all services that cache something of a container.
/// 5. `AddressService`: `ShareService`.
///    `PeopleService`: `RecordService`, `CredentialService`, `SessionService`, `ContainerRegistry`,
///    `DeviceService`, `QuotaService`.
/// 6. `OperatorService`: the password hasher of `PeopleService`.
///    `AlertService`: `ContainerService`, `QuotaService`.
///    `AccessService`: `DatabaseService`, `PeopleService`, `SessionService`, `ContainerRegistry`,
///    `SchemaCache`.
package final class CloudService: Sendable {
    package let limits: Limits
    package let runtime: ServerRuntime
    /// Whether the server is open: anybody may sign in by name and use any container, as in development.
    package let isOpen: Bool
    /// Injects faults into calls for tests; nil on a server that accepts no faults.
    package let faults: FaultInjector?
    /// Counts the request and response bytes that the server holds at the moment.
    package let traffic: Traffic
    package let rateLimiter: RateLimiter
    package let pushHub: PushHub

    package let records: RecordService
    package let zones: ZoneService
    package let shares: ShareService
    package let assets: AssetService
    package let people: PeopleService
    package let addresses: AddressService
    package let sessions: SessionService
    package let credentials: CredentialService
    package let access: AccessService
    package let schemas: SchemaService
    package let devices: DeviceService
    package let pushes: PushService
    package let quotas: QuotaService
    package let containers: ContainerService
    package let operators: OperatorService
    package let telemetry: TelemetryService
    package let history: RequestHistory
    package let alerts: AlertService
    package let nodes: NodeService

    /// Checks and copies the data on disk; nil for a server without a data folder of its own.
    package let maintenance: (any Maintenance)?

    let databases: DatabaseService
    let context: ServiceContext
    /// Runs the slow parts of requests away from the threads that answer requests.
    package let slowWork: SlowWork

    package init(
        directory: any Directory,
        databases provider: any DatabaseProvider,
        codec: any FieldCodec,
        runtime: ServerRuntime,
        limits: Limits = Limits(),
        isOpen: Bool = true,
        tokenKey: [UInt8],
        passwordCost: PasswordCost = PasswordCost(),
        fallbackURL: String? = nil,
        codeSender: CodeSender? = nil,
        faults: FaultInjector? = nil,
        maintenance: (any Maintenance)? = nil,
        alertRules: [AlertRule] = [],
        alertSender: AlertSender? = nil,
        telemetryStore: any TelemetryStore,
        threads: WorkThreads,
        bodyThreads: WorkThreads
    ) {
        self.limits = limits
        self.runtime = runtime
        self.isOpen = isOpen
        self.faults = faults
        self.maintenance = maintenance
        traffic = Traffic(limits)
        history = RequestHistory(limits)
        context = ServiceContext(
            limits: limits, runtime: runtime, directory: directory, provider: provider, codec: codec,
            isOpen: isOpen)
        let started = runtime.now()
        let signer = TicketSigner(secret: tokenKey)
        let tokenKey = SymmetricKey(data: tokenKey)
        let seal = TokenSeal(key: tokenKey, faults: faults)
        slowWork = SlowWork(reads: threads, bodies: bodyThreads, limits, uptime: runtime.uptime)

        let containerRegistry = ContainerRegistry(context)
        let schemaCache = SchemaCache(directory: directory)
        let usageLog = SchemaUsageLog(isOn: isOpen)
        rateLimiter = RateLimiter(limits: limits, runtime: runtime, isNode: provider.isNode)
        quotas = QuotaService(context)
        pushHub = PushHub(runtime: runtime, limits: limits, faults: faults)
        devices = DeviceService(context, hub: pushHub, seal: seal)
        telemetry = TelemetryService(
            context, store: telemetryStore, containerRegistry: containerRegistry, pushHub: pushHub)
        databases = DatabaseService(
            context, containerRegistry: containerRegistry, schemaCache: schemaCache, quotas: quotas,
            devices: devices, slowWork: slowWork)
        sessions = SessionService(
            context, containerRegistry: containerRegistry, devices: devices, tokenKey: tokenKey)
        credentials = CredentialService(
            context, containerRegistry: containerRegistry, sessions: sessions, started: started)
        assets = AssetService(
            context, databases: databases, containerRegistry: containerRegistry, quotas: quotas,
            schemaCache: schemaCache, sessions: sessions, rateLimiter: rateLimiter, signer: signer)
        records = RecordService(
            context, databases: databases, assets: assets, quotas: quotas, schemaCache: schemaCache,
            credentials: credentials, rateLimiter: rateLimiter, usageLog: usageLog, seal: seal,
            answers: traffic.sending, faults: faults)
        zones = ZoneService(context, databases: databases, assets: assets, seal: seal)
        let shownProofs = ShownCodeProofs()
        shares = ShareService(
            context, databases: databases, schemaCache: schemaCache, shownProofs: shownProofs,
            fallbackURL: fallbackURL)
        schemas = SchemaService(
            context, databases: databases, assets: assets, containerRegistry: containerRegistry,
            schemaCache: schemaCache, usageLog: usageLog, slowWork: slowWork)
        pushes = PushService(
            context, databases: databases, devices: devices, schemaCache: schemaCache,
            rateLimiter: rateLimiter, seal: seal)
        people = PeopleService(
            context, containerRegistry: containerRegistry, sessions: sessions, credentials: credentials,
            records: records, devices: devices, quotas: quotas, signer: signer, passwordCost: passwordCost)
        operators = OperatorService(context, passwords: people.passwords)
        addresses = AddressService(
            context, shares: shares, sender: codeSender, shownProofs: shownProofs)
        access = AccessService(
            context, databases: databases, containerRegistry: containerRegistry, schemaCache: schemaCache,
            sessions: sessions, people: people)
        containers = ContainerService(
            context, databases: databases, containerRegistry: containerRegistry, schemaCache: schemaCache,
            usageLog: usageLog, quotas: quotas, devices: devices, sessions: sessions,
            credentials: credentials, telemetry: telemetry)
        nodes = NodeService(
            context, containerRegistry: containerRegistry, schemaCache: schemaCache, quotas: quotas,
            devices: devices, sessions: sessions, credentials: credentials, rateLimiter: rateLimiter)
        alerts = AlertService(
            context, containers: containers, quotas: quotas, rules: alertRules, sender: alertSender)
    }

    /// Throws `accessDenied` unless the server is open (`isOpen`).
    package func checkDevelopment(_ culprit: String) throws(RecordError) {
        try context.checkDevelopment(culprit)
    }
}
