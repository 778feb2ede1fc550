// Owns every limit, in one place.

/// The numbers that bound a request, a record and a database (law 9; web services sheet 6, API sheet 17).
///
/// A value, so that a server can publish it, a client can read it, and a test can lower it.
package struct Limits: Hashable, Sendable {
    /// Operations in one records/modify.
    package var operationsPerRequest = 200
    /// Records in one answer, whatever is asked for.
    package var recordsPerResponse = 200
    /// Bytes of fields with which a page of a query or a feed ends, however few its records.
    package var answerBytes = 4_194_304
    /// Bytes of fields beyond which records that are named one by one are asked for in several requests.
    package var lookupBytes = 33_554_432
    /// Upload tokens in one assets/upload.
    package var tokensPerRequest = 200
    /// Bytes of a record's fields, assets not counted.
    package var recordBytes = 1_048_576
    /// Bytes of one asset.
    package var assetBytes: Int64 = 52_428_800
    /// Bytes of a request's body.
    package var requestBytes = 16_777_216
    /// Characters of a record name, zone name or field name.
    package var nameCharacters = 255
    /// Deletions that a database keeps for those who follow its changes; as many as it has records if that
    /// is more.
    package var deletionsPerDatabase = 10_000
    /// Records that go along with those that one request deletes.
    package var cascadeRecords = 10_000
    /// Delete-self references from different records to one target.
    package var deleteSelfSources = 750
    /// Filters in one query.
    package var filtersPerQuery = 50
    /// Values in one `IN` list, and elements of a list field.
    package var listElements = 10_000
    /// Seconds for which an upload URL, and then its receipt, are good.
    package var uploadLifetime = 900
    /// Seconds for which a download URL is good.
    package var downloadLifetime = 3600
    /// Zones that one request names.
    package var zonesPerRequest = 200
    /// Seconds for which a deletion is told to those who follow changes.
    package var deletionLifetime = 7_776_000
    /// Databases that are open at the same time, those in use not counted.
    package var openDatabases = 128
    /// Seconds by which the clock of an app's server may differ from ours when it signs a request.
    package var signatureSkew = 600
    /// Signed requests of one key that are remembered, so that none is taken twice: about as many as it can
    /// sign within those seconds.
    package var signaturesPerKey = 500_000
    /// Seconds for which a web auth token is good.
    package var sessionLifetime = 1800
    /// Seconds for which it is good when the person wants to stay signed in.
    package var longSessionLifetime = 1_209_600
    /// Seconds for which the address of a sign-in page, and then its form, are good.
    package var signInLifetime = 3600
    /// Subscriptions of one person in one database, and in one request.
    package var subscriptions = 200
    /// Fields whose values a push carries.
    package var pushFields = 3
    /// UTF-16 units of a text in a push that comes from a record: what the framework calls characters.
    package var pushTextCharacters = 100
    /// Bytes of a push as it is sent.
    package var pushBytes = 4096
    /// Devices of one person in a container.
    package var devicesPerPerson = 100
    /// Pushes that wait for one device that is taking them.
    package var pushQueue = 100
    /// Seconds for which the push for a device that is away is kept.
    package var pushLifetime = 2_592_000
    /// Seconds after its last poll in which a device counts as there.
    package var pushPresence = 60
    /// Seconds for which a poll is held open while nothing comes.
    package var pushPoll = 25
    /// Entries of the trace of pushes.
    package var pushTrace = 2000
    /// Seconds for which the notification collection keeps a push.
    package var notificationLifetime = 7_776_000
    /// Notifications that a person has not read, in one database.
    package var notificationsPerPerson = 1000
    /// Bytes of the token by which a device names a batch.
    package var clientTokenBytes = 1024
    /// Devices of one person whose last token a zone remembers.
    package var clientsPerZone = 100
    /// Devices of all people together whose last token a database remembers, once for each zone.
    package var clientsPerDatabase = 1000
    /// Nesting of JSON in a request.
    package var nesting = 32
    /// Values in the JSON of a request: objects, lists, texts, numbers and names of members.
    package var jsonValues = 1_000_000

    // MARK: What a request may cost

    /// Elements of all lists of all records of one records/modify together: each becomes a value in memory
    /// and an entry of an index.
    package var elementsPerRequest = 100_000
    /// Sort criteria in one query.
    package var sortsPerQuery = 8
    /// Names in one `desiredKeys`, in those of all records of a lookup together, and in one
    /// `desiredRecordTypes`.
    package var keysPerRequest = 1000
    /// Characters of the texts of all searches of one query together.
    package var searchCharacters = 1000
    /// Words of the texts of all searches of one query together.
    package var searchWords = 100
    /// Creation and modification times that all `IN` lists of one query name together.
    package var timesPerQuery = 100
    /// Custom zones of one database.
    package var zonesPerDatabase = 1000
    /// Zones in one answer to zones/list.
    package var zonesPerResponse = 1000
    /// Fields of one record type.
    package var fieldsPerType = 400
    /// Fields of all record types of a schema together: each is a column and an index, and a database reads
    /// all of them when it is opened and whenever one is added.
    package var fieldsPerSchema = 2000
    /// Fields that one request adds to the schema, of all types together.
    package var newFieldsPerRequest = 100
    /// Record types of one schema.
    package var typesPerSchema = 500
    /// Record types that one request adds to the schema.
    package var newTypesPerRequest = 20
    /// Bytes of all texts, keys and arguments of one subscription together.
    package var subscriptionBytes = 4096
    /// Bytes of the notifications that one person has not read, in one database.
    package var notificationBytes = 4_194_304
    /// Bytes of notifications with which a page of the notification collection ends.
    package var notificationPageBytes = 1_048_576
    /// The largest badge.
    package var badge = 999_999_999
    /// Polls and streams for pushes that one person has open in a container.
    package var streamsPerPerson = 200
    /// Sessions of one person in a container.
    package var sessionsPerPerson = 100
    /// Containers that there may be for an open server to make another one by itself.
    package var openServerContainers = 1000

    // MARK: What all requests together may cost

    /// Bytes of a request's body from somebody who has not signed in.
    package var anonymousRequestBytes = 1_048_576
    /// Bytes of bodies that are being received, of all requests together.
    package var receivingBytes = 134_217_728
    /// Bytes of answers that have not been sent yet, of all connections together.
    package var sendingBytes = 134_217_728
    /// Bytes a second below which a body that is being received, or an answer that is being read, is given
    /// up.
    package var transferRate = 8192
    /// Seconds for which a transfer may be slower than that.
    package var transferPatience = 20
    /// Instructions of the database engine that the reads of a request may take where it is answered; what
    /// takes more runs on threads for slow reads.
    package var readSteps = 30_000
    /// Seconds after which a slow read of a database is broken off.
    package var readSeconds = 10
    /// Bytes of files of one person that were uploaded and that no record refers to yet.
    package var waitingUploadBytes: Int64 = 1_073_741_824

    /// Requests, and the seconds in which they come back, of a rate that is set while the server runs.
    package var rateRequests = 1_000_000
    package var rateSeconds = 86_400

    /// Requests of one person in a container; nil: any number.
    package var personRate: RequestRate?
    /// Requests of those who show one API token or key and are no person; nil: any number.
    package var appRate: RequestRate?
    /// Requests of everybody in a container; nil: any number.
    package var containerRate: RequestRate?
    /// What records and files may take up; nil: any amount.
    package var quota: QuotaRules?

    package init() {}
}
