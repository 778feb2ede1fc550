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
    /// Nesting of JSON in a request.
    package var nesting = 32

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
