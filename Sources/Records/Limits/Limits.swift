/// The limits of requests, records, databases and a server. They are CloudKit's own where Apple publishes
/// them (CloudKit Web Services Reference, *Data Size Limits*).
///
/// The server publishes them at `GET /limits` under the names in `Limits.published`, clients read them, and
/// tests lower them in order to reach a limit with little data. Sizes are in bytes, times in seconds.
public struct Limits: Hashable, Sendable {
    /// Operations in one `records/modify` request.
    public var operationsPerRequest = 200
    /// Records in one answer, even if the request asks for more.
    public var recordsPerResponse = 200
    /// Bytes of fields at which a page of a query or a change feed ends, and the most that the server's
    /// records in the conflicts of one `records/modify` request have together.
    public var answerBytes = 4_194_304
    /// Bytes of fields that one `records/lookup` may return. A larger lookup fails with `limitExceeded`.
    public var lookupBytes = 33_554_432
    /// Upload tokens in one `assets/upload` request.
    public var tokensPerRequest = 200
    /// Bytes of a record's fields, without its assets.
    public var recordBytes = 1_048_576
    /// Bytes of one asset.
    public var assetBytes: Int64 = 52_428_800
    /// Bytes of a request's body.
    public var requestBytes = 16_777_216
    /// Characters of a record name, zone name or field name.
    public var nameCharacters = 255
    /// Tombstones that a database keeps for its change feeds; if the database has more records than this, as
    /// many as it has records. The same number of entries is kept for records that left shares, and for
    /// shares that ended.
    public var deletionsPerDatabase = 10_000
    /// Records that one request may delete by cascade, in addition to those that it names.
    public var cascadeRecords = 10_000
    /// Records that one request may put under shares or take out of them, by changing a parent or by creating
    /// or deleting a share. A single operation may move more.
    public var movedRecords = 10_000
    /// `deleteSelf` references from different records to one target.
    public var deleteSelfSources = 750
    /// Filters in one query.
    public var filtersPerQuery = 50
    /// Values in all lists of one query together, and elements of a list field.
    public var listElements = 10_000
    /// Seconds for which an upload URL is valid, and then its receipt.
    public var uploadSeconds = 900
    /// Seconds for which a download URL is valid.
    public var downloadSeconds = 3600
    /// Zones that one request names.
    public var zonesPerRequest = 200
    /// Shares that one `records/accept` or `records/requestAccess` request names. Each is a commit of its
    /// own.
    public var sharesPerRequest = 20
    /// Seconds for which change feeds report a deletion.
    public var deletionSeconds = 7_776_000
    /// Databases that the server keeps open in addition to those in use.
    public var openDatabases = 128
    /// Seconds by which the date of a signed server-to-server request may differ from the server's clock.
    public var signatureSkewSeconds = 600
    /// Signed requests of one key that the server remembers in order to reject repeated ones. The default is
    /// about as many as a key can sign within `signatureSkewSeconds`.
    public var signaturesPerKey = 500_000
    /// Seconds for which a web auth token is valid.
    public var sessionSeconds = 1800
    /// Seconds for which a web auth token is valid if the person asked to stay signed in.
    public var longSessionSeconds = 1_209_600
    /// Seconds for which the URL of a sign-in page is valid, and then its form.
    public var signInSeconds = 3600
    /// Seconds for which a code that proves an address is valid.
    public var addressCodeSeconds = 600
    /// Seconds for which an operator stays signed in to the console, at most; half an hour without a request
    /// ends the session earlier.
    public var operatorSessionSeconds = 43_200
    /// Sessions of one operator, and unused links to the console.
    public var operatorSessions = 20
    /// Seconds for which a link to the console is valid.
    public var operatorLinkSeconds = 300
    /// Accounts of operators.
    public var operators = 1000
    /// Entries of the audit log; those of the operator with the most entries are deleted.
    public var auditEntries = 100_000
    /// Bytes of each state, before and after the change, that an audit entry stores.
    public var auditTextBytes = 4096
    /// Requests that the log for operators keeps in memory: the most recent ones.
    public var loggedRequests = 2000
    /// Bytes of the texts of these requests.
    public var loggedRequestBytes = 1_000_000
    /// Combinations of container, environment, database and operation that are counted separately in a
    /// minute; further ones are counted together.
    public var telemetryKeys = 1000
    /// Bytes of the counts of requests in the data folder. Beyond the limit, the oldest counts are deleted
    /// early: first those of minutes, then those of hours, and so on.
    public var telemetryBytes = 67_108_864
    /// Wrong attempts after which a code becomes invalid.
    public var addressCodeTries = 5
    /// Codes that an account may request in an hour.
    public var addressCodesPerHour = 5
    /// Codes that are sent to one address in an hour, over all accounts that request them.
    public var codesPerAddress = 30
    /// Subscriptions of one person in one database, and in one request.
    public var subscriptions = 200
    /// Fields whose values one push can carry.
    public var pushFields = 3
    /// UTF-16 code units of a field's text in a push. CloudKit calls them characters.
    public var pushTextCharacters = 100
    /// Bytes of a push payload.
    public var pushBytes = 4096
    /// Devices of one person in a container.
    public var devicesPerPerson = 100
    /// Pushes that are queued for one connected device.
    public var pushQueue = 100
    /// Seconds for which an undelivered push is kept.
    public var pushSeconds = 2_592_000
    /// Seconds after its last poll for which a device counts as connected.
    public var pushPresenceSeconds = 60
    /// Seconds for which a poll waits for a push.
    public var pushPollSeconds = 25
    /// Entries in the trace of pushes.
    public var pushTrace = 2000
    /// Seconds for which the notification collection keeps a notification.
    public var notificationSeconds = 7_776_000
    /// Unread notifications of one person in one database. As many read ones are kept, in order to tell their
    /// identifiers from unknown ones.
    public var notificationsPerPerson = 1000
    /// Bytes of the token by which a device names a batch.
    public var clientTokenBytes = 1024
    /// Devices of one person whose last batch a zone remembers.
    public var clientsPerZone = 100
    /// Devices of all people whose last batch a database remembers. A device counts once for each zone.
    public var clientsPerDatabase = 1000
    /// Participants of one share, its owner included.
    public var participantsPerShare = 100
    /// Shares of other people in which one person takes part, in one environment of a container. Acceptances
    /// at the same moment can exceed it.
    public var sharesPerPerson = 1000
    /// Zones of other people in which one person takes part, or recently took part, in one environment of a
    /// container. Beyond the limit, the server forgets former zones early, and change tokens that refer to
    /// them expire.
    public var sharedZonesPerPerson = 2000
    /// Rows after which a page of a shared zone's changes ends, even if it is empty. A row that the person
    /// may not see takes as long to read as a change.
    public var sharedRowsPerPage = 2000
    /// Nesting depth of JSON in a request.
    public var nesting = 32
    /// Values in the JSON of a request: objects, arrays, strings, numbers and member names.
    public var jsonValues = 1_000_000

    // MARK: Cost of one request

    /// List elements of all records in one `records/modify` request. Each becomes a value in memory and an
    /// index entry.
    public var elementsPerRequest = 100_000
    /// Bytes of searchable texts in the records of one `records/modify` request, before and after the change,
    /// of those records in which one of these texts changes or that are deleted, also by cascade; a single
    /// record may have more. Each word is an index entry to add or remove, and all writers of the database
    /// wait meanwhile. CloudKit limits whole requests to 2 MB. Subscriptions with a search fire only for the
    /// first changed records whose searchable texts have as many bytes together, whether they changed or not.
    public var searchableBytesPerRequest = 2_097_152
    /// Sort criteria in one query.
    public var sortsPerQuery = 8
    /// Names in one `desiredKeys`, in the `desiredKeys` of all records of a lookup together, and in one
    /// `desiredRecordTypes`.
    public var keysPerRequest = 1000
    /// Characters in the search texts of one query.
    public var searchCharacters = 1000
    /// Words in the search texts of one query.
    public var searchWords = 100
    /// Creation and modification times in all `IN` lists of one query.
    public var timesPerQuery = 100
    /// Custom zones of one database.
    public var zonesPerDatabase = 1000
    /// Zones in one answer to `zones/list`.
    public var zonesPerResponse = 1000
    /// Fields of one record type.
    public var fieldsPerType = 400
    /// Fields of all record types in a schema. Each is a column and an index, and a database reads all of
    /// them when it is opened and whenever one is added.
    public var fieldsPerSchema = 2000
    /// Fields that one request may add to the schema, over all types.
    public var newFieldsPerRequest = 100
    /// Record types of one schema.
    public var typesPerSchema = 500
    /// Record types that one request may add to the schema.
    public var newTypesPerRequest = 20
    /// Bytes of all texts, keys and arguments of one subscription.
    public var subscriptionBytes = 4096
    /// Values in the conditions of all subscriptions of one person in one database together: elements of
    /// lists and words of searches. A condition counts at least once. The server keeps these values in memory
    /// while the database is open.
    public var subscriptionElements = 10_000
    /// Query subscriptions of one person that one change of a record fires, and the person's subscriptions to
    /// zones and databases that one commit fires. If more match, the oldest ones fire.
    public var pushesPerChange = 20
    /// Notifications that one commit makes for the query subscriptions of one person. Beyond it, the later
    /// changes of the commit fire none.
    public var pushesPerCommit = 200
    /// Notifications that one commit makes for the query subscriptions of all people. Beyond it, each person
    /// without a notification from this commit still gets one.
    public var pushesPerCommitOfAll = 10_000
    /// Bytes of the texts in one person's notifications of a commit together. The first notification may have
    /// more.
    public var pushBytesPerCommit = 262_144
    /// Levels of parents that a save checks when it moves a record that has children within a share.
    public var parentLevels = 1000
    /// Bytes of one person's unread notifications in one database, and of the read ones.
    public var notificationBytes = 4_194_304
    /// Bytes of notifications at which a page of the notification collection ends.
    public var notificationPageBytes = 1_048_576
    /// The largest badge number.
    public var badge = 999_999_999
    /// Open polls and streams for pushes of one person in a container.
    public var streamsPerPerson = 200
    /// Sessions of one person in a container.
    public var sessionsPerPerson = 100
    /// The number of containers up to which an open server creates new ones on first use.
    public var openServerContainers = 1000

    // MARK: Cost of all requests together

    /// Records that the requests of one person may change in a burst beyond those that they name: the records
    /// of cascades, also of refused ones, and records that move between shares. All writers of the database
    /// wait meanwhile. This is the capacity of a token bucket that refills within `followedSeconds`. One
    /// request may overdraw it; later ones then fail with `tryAgainLater` until the bucket has recovered. The
    /// limit applies only to servers with request rates.
    public var followedRecords = 50_000
    /// Seconds in which the bucket of `followedRecords` refills.
    public var followedSeconds = 500

    /// Bytes of a request's body without a signed-in person.
    public var anonymousRequestBytes = 1_048_576
    /// Bytes of a request's head: its path with the query, and the names and values of its header fields. A
    /// head may have 256 fields.
    public var requestHeadBytes = 16_384
    /// Connections at once, of all addresses together; others wait until one ends. Each takes up some tens of
    /// kilobytes, a head that is arriving, and a head and a body of up to 4 KB each that `receivingBytes`
    /// does not count.
    public var connections = 16_384
    /// Bytes of requests, heads and bodies, that are being received or processed, over all requests.
    public var receivingBytes = 134_217_728
    /// Bytes of answers that are waiting to be sent, over all connections.
    public var sendingBytes = 134_217_728
    /// The slowest transfer in bytes per second. Slower uploads of a body and slower readers of an answer are
    /// disconnected.
    public var transferBytesPerSecond = 8192
    /// Seconds for which a transfer may be slower than `transferBytesPerSecond`.
    public var transferPatienceSeconds = 20
    /// Database engine instructions that the reads of a request may take on the request's own thread. Longer
    /// reads start again on the threads for slow reads.
    public var readSteps = 30_000
    /// Seconds after which a slow read is cancelled.
    public var readSeconds = 10
    /// Bytes of one person's uploaded files that no record refers to yet.
    public var waitingUploadBytes: Int64 = 1_073_741_824
    /// One person's uploaded files that no record refers to yet.
    public var waitingUploads = 10_000
    /// Files of one person in a container that are being received at the same time.
    public var uploadsPerPerson = 16

    /// The largest `requests` of a rate that is set while the server runs.
    public var rateRequests = 1_000_000
    /// The largest `seconds` of a rate that is set while the server runs.
    public var rateSeconds = 86_400

    /// The request rate of one person in a container; nil: unlimited.
    public var personRate: RequestRate?
    /// The request rate of all anonymous requests from one network address with the same API token; nil:
    /// unlimited. It is also the rate of all addresses of a /48 network of IPv6 together. The requests count
    /// against `appRate` too, but for visits of the sign-in page and of shares' pages, and calls to sign in.
    public var addressRate: RequestRate?
    /// The request rate of all anonymous requests with the same API token or server-to-server key; nil:
    /// unlimited.
    public var appRate: RequestRate?
    /// The request rate of a whole container; nil: unlimited.
    public var containerRate: RequestRate?
    /// The storage quota; nil: unlimited.
    public var quota: QuotaRules?

    // MARK: A client's sync engine

    /// Records in one batch of a sync engine, saves and deletions together. Batches that it collects also
    /// have no more than `operationsPerRequest`.
    public var recordsPerSyncBatch = 250
    /// Bytes of fields in a batch that a sync engine collects. The first record is taken whatever its size.
    public var syncBatchBytes = 2_097_152
    /// The longest pause before a sync engine's next attempt that a server can ask for, in seconds: a week.
    public var syncPauseSeconds = 604_800

    /// The default limits.
    public init() {}
}
