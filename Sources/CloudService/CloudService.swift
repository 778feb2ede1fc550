import AssetStore
import Crypto
package import RecordStore
package import Records
import Synchronization

/// The decisions of the server. Knows neither HTTP nor JSON nor SQL; the door asks it, it asks the stores.
package final class CloudService: Sendable {
    package let limits: Limits
    package let seams: Seams
    /// What goes wrong on purpose.
    package let faults: FaultDesk
    /// The bytes on their way to and from clients.
    package let traffic: Traffic
    let directory: any Directory
    let databases: any DatabaseProvider
    let codec: any FieldCodec
    let schemas: SchemaKeeper
    let signer: ReceiptSigner
    let sessions = Mutex(SessionCache())
    let meter = RequestMeter()
    /// What would hold up other requests where it was asked for.
    package let slowWork: SlowWork
    /// What was saved and asked for since the server started.
    let usage = Mutex<[SchemaKeeper.Place: SchemaUsage]>([:])
    /// How often a person may ask, where that was changed since the start.
    let rateDial = Mutex<RequestRate?>(nil)
    let quotas = Mutex(QuotaBook())
    let knownContainers = Mutex(KnownContainers())
    let credentials = Mutex(CredentialCache())
    let passwords: PasswordDesk
    /// The outboxes of devices, and the trace of pushes.
    package let pushes: PushDesk
    let registry: PushRegistry
    /// When this server began: what it had to tell before, it does not remember.
    let started: Timestamp
    let guesses = Mutex(GuessGuard())
    let uploads = Mutex(UploadLedger())
    let uploadHousekeeping = WakeUp()
    let signatures: Mutex<SignatureBook>
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
        seams: Seams,
        limits: Limits = Limits(),
        isOpen: Bool = true,
        takesFaults: Bool = true,
        tokenKey: [UInt8],
        passwordCost: PasswordCost = PasswordCost(),
        faults: FaultDesk = FaultDesk(),
        threads: WorkThreads,
        bodyThreads: WorkThreads
    ) {
        self.directory = directory
        self.databases = databases
        self.codec = codec
        self.seams = seams
        self.limits = limits
        traffic = Traffic(limits)
        self.isOpen = isOpen
        self.takesFaults = takesFaults
        self.tokenKey = SymmetricKey(data: tokenKey)
        seal = TokenSeal(key: self.tokenKey)
        passwords = PasswordDesk(cost: passwordCost)
        self.faults = faults
        pushes = PushDesk(seams: seams, limits: limits, faults: faults)
        registry = PushRegistry(directory: directory)
        started = seams.now()
        signatures = Mutex(SignatureBook(began: started, limits: limits))
        schemas = SchemaKeeper(directory: directory)
        signer = ReceiptSigner(key: seams.randomBytes(32))
        slowWork = SlowWork(reads: threads, bodies: bodyThreads, limits, uptime: seams.uptime)
    }
}
