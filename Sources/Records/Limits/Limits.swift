/// The numbers that bound a request, a record, a database and a server: those of CloudKit where it has them
/// (law 9; web services sheet 6, API sheet 17).
///
/// A server publishes them at `GET /limits` under the names of `Limits.published`, a client reads them, and a
/// test lowers them to reach in a moment what would need much data otherwise. Sizes are in bytes, times in
/// seconds.
public struct Limits: Hashable, Sendable {
    /// Operations in one records/modify.
    public var operationsPerRequest = 200
    /// Records in one answer, whatever is asked for.
    public var recordsPerResponse = 200
    /// Bytes of fields with which a page of a query or a feed ends, however few its records.
    public var answerBytes = 4_194_304
    /// Bytes of fields beyond which records that are named one by one are asked for in several requests.
    public var lookupBytes = 33_554_432
    /// Upload tokens in one assets/upload.
    public var tokensPerRequest = 200
    /// Bytes of a record's fields, assets not counted.
    public var recordBytes = 1_048_576
    /// Bytes of one asset.
    public var assetBytes: Int64 = 52_428_800
    /// Bytes of a request's body.
    public var requestBytes = 16_777_216
    /// Characters of a record name, zone name or field name.
    public var nameCharacters = 255
    /// Deletions that a database keeps for those who follow its changes; as many as it has records if that
    /// is more.
    public var deletionsPerDatabase = 10_000
    /// Records that go along with those that one request deletes.
    public var cascadeRecords = 10_000
    /// Delete-self references from different records to one target.
    public var deleteSelfSources = 750
    /// Filters in one query.
    public var filtersPerQuery = 50
    /// Values in one `IN` list, and elements of a list field.
    public var listElements = 10_000
    /// Seconds for which an upload URL, and then its receipt, are good.
    public var uploadSeconds = 900
    /// Seconds for which a download URL is good.
    public var downloadSeconds = 3600
    /// Zones that one request names.
    public var zonesPerRequest = 200
    /// Seconds for which a deletion is told to those who follow changes.
    public var deletionSeconds = 7_776_000
    /// Databases that are open at the same time, those in use not counted.
    public var openDatabases = 128
    /// Seconds by which the clock of an app's server may differ from ours when it signs a request.
    public var signatureSkewSeconds = 600
    /// Signed requests of one key that are remembered, so that none is taken twice: about as many as it can
    /// sign within those seconds.
    public var signaturesPerKey = 500_000
    /// Seconds for which a web auth token is good.
    public var sessionSeconds = 1800
    /// Seconds for which it is good when the person wants to stay signed in.
    public var longSessionSeconds = 1_209_600
    /// Seconds for which the address of a sign-in page, and then its form, are good.
    public var signInSeconds = 3600
    /// Subscriptions of one person in one database, and in one request.
    public var subscriptions = 200
    /// Fields whose values a push carries.
    public var pushFields = 3
    /// UTF-16 units of a text in a push that comes from a record: what the framework calls characters.
    public var pushTextCharacters = 100
    /// Bytes of a push as it is sent.
    public var pushBytes = 4096
    /// Devices of one person in a container.
    public var devicesPerPerson = 100
    /// Pushes that wait for one device that is taking them.
    public var pushQueue = 100
    /// Seconds for which the push for a device that is away is kept.
    public var pushSeconds = 2_592_000
    /// Seconds after its last poll in which a device counts as there.
    public var pushPresenceSeconds = 60
    /// Seconds for which a poll is held open while nothing comes.
    public var pushPollSeconds = 25
    /// Entries of the trace of pushes.
    public var pushTrace = 2000
    /// Seconds for which the notification collection keeps a push.
    public var notificationSeconds = 7_776_000
    /// Notifications that a person has not read, in one database.
    public var notificationsPerPerson = 1000
    /// Bytes of the token by which a device names a batch.
    public var clientTokenBytes = 1024
    /// Devices of one person whose last token a zone remembers.
    public var clientsPerZone = 100
    /// Devices of all people together whose last token a database remembers, once for each zone.
    public var clientsPerDatabase = 1000
    /// Nesting of JSON in a request.
    public var nesting = 32
    /// Values in the JSON of a request: objects, lists, texts, numbers and names of members.
    public var jsonValues = 1_000_000

    // MARK: What a request may cost

    /// Elements of all lists of all records of one records/modify together: each becomes a value in memory
    /// and an entry of an index.
    public var elementsPerRequest = 100_000
    /// Sort criteria in one query.
    public var sortsPerQuery = 8
    /// Names in one `desiredKeys`, in those of all records of a lookup together, and in one
    /// `desiredRecordTypes`.
    public var keysPerRequest = 1000
    /// Characters of the texts of all searches of one query together.
    public var searchCharacters = 1000
    /// Words of the texts of all searches of one query together.
    public var searchWords = 100
    /// Creation and modification times that all `IN` lists of one query name together.
    public var timesPerQuery = 100
    /// Custom zones of one database.
    public var zonesPerDatabase = 1000
    /// Zones in one answer to zones/list.
    public var zonesPerResponse = 1000
    /// Fields of one record type.
    public var fieldsPerType = 400
    /// Fields of all record types of a schema together: each is a column and an index, and a database reads
    /// all of them when it is opened and whenever one is added.
    public var fieldsPerSchema = 2000
    /// Fields that one request adds to the schema, of all types together.
    public var newFieldsPerRequest = 100
    /// Record types of one schema.
    public var typesPerSchema = 500
    /// Record types that one request adds to the schema.
    public var newTypesPerRequest = 20
    /// Bytes of all texts, keys and arguments of one subscription together.
    public var subscriptionBytes = 4096
    /// Bytes of the notifications that one person has not read, in one database.
    public var notificationBytes = 4_194_304
    /// Bytes of notifications with which a page of the notification collection ends.
    public var notificationPageBytes = 1_048_576
    /// The largest badge.
    public var badge = 999_999_999
    /// Polls and streams for pushes that one person has open in a container.
    public var streamsPerPerson = 200
    /// Sessions of one person in a container.
    public var sessionsPerPerson = 100
    /// Containers that there may be for an open server to make another one by itself.
    public var openServerContainers = 1000

    // MARK: What all requests together may cost

    /// Bytes of a request's body from somebody who has not signed in.
    public var anonymousRequestBytes = 1_048_576
    /// Connections at once, of all addresses together; others wait until one ends. Each takes up some tens of
    /// kilobytes, and a body of up to 4 KB that `receivingBytes` does not count.
    public var connections = 16_384
    /// Bytes of bodies that are being received or worked on, of all requests together.
    public var receivingBytes = 134_217_728
    /// Bytes of answers that have not been sent yet, of all connections together.
    public var sendingBytes = 134_217_728
    /// Bytes a second below which a body that is being received, or an answer that is being read, is given
    /// up.
    public var transferBytesPerSecond = 8192
    /// Seconds for which a transfer may be slower than that.
    public var transferPatienceSeconds = 20
    /// Instructions of the database engine that the reads of a request may take where it is answered; what
    /// takes more runs on threads for slow reads.
    public var readSteps = 30_000
    /// Seconds after which a slow read of a database is broken off.
    public var readSeconds = 10
    /// Bytes of files of one person that were uploaded and that no record refers to yet.
    public var waitingUploadBytes: Int64 = 1_073_741_824

    /// The most requests of a rate that is set while the server runs.
    public var rateRequests = 1_000_000
    /// The longest time in which such a rate comes back, in seconds.
    public var rateSeconds = 86_400

    /// Requests of one person in a container; nil: any number.
    public var personRate: RequestRate?
    /// Requests of those who show one API token or key and are no person; nil: any number.
    public var appRate: RequestRate?
    /// Requests of everybody in a container; nil: any number.
    public var containerRate: RequestRate?
    /// What records and files may take up; nil: any amount.
    public var quota: QuotaRules?

    /// The limits that a server has unless it is told others.
    public init() {}
}
