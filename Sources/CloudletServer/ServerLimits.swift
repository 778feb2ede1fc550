// Owns the limits of a server as its user sets them.

import Records

/// The numbers that bound a request, a record and a server, those of CloudKit where it has them (web services
/// sheet 6). Lower them to meet in a test what would need much data otherwise; `GET /limits` publishes them.
public struct ServerLimits: Hashable, Sendable {
    /// Operations in one records/modify: 200.
    public var operationsPerRequest: Int
    /// Records in one answer, and in one records/lookup: 200.
    public var recordsPerResponse: Int
    /// Bytes of fields with which an answer ends before it has as many records as were asked for: 4 MB.
    public var answerBytes: Int
    /// Bytes of fields in the answer to one records/lookup: 32 MB.
    public var lookupBytes: Int
    /// Files in one assets/upload or assets/rereference: 200.
    public var tokensPerRequest: Int
    /// Zones in one request: 200.
    public var zonesPerRequest: Int
    /// Bytes of a record's fields, files not counted: 1 MB.
    public var recordBytes: Int
    /// Bytes of one file: 50 MB.
    public var assetBytes: Int64
    /// Bytes of a request's body, files not counted: 16 MB.
    public var requestBytes: Int
    /// Delete-self references from different records to one: 750.
    public var deleteSelfSources: Int
    /// Filters in one query: 50.
    public var filtersPerQuery: Int
    /// Elements of a list: 10,000.
    public var listElements: Int
    /// Seconds for which an upload address, and then its receipt, are good: 15 minutes.
    public var uploadSeconds: Int
    /// Seconds for which a download address is good: an hour.
    public var downloadSeconds: Int
    /// Seconds for which a deletion is told to those who follow changes: 90 days. Older tokens are expired.
    public var deletionSeconds: Int
    /// Seconds for which a web auth token is good: 30 minutes.
    public var sessionSeconds: Int
    /// Seconds for which it is good when the person wants to stay signed in: two weeks.
    public var longSessionSeconds: Int
    /// Seconds by which the clock of a server that signs requests may differ: 10 minutes.
    public var signatureSkewSeconds: Int
    /// Databases that stay open while nobody uses them: 128.
    public var openDatabases: Int
    /// Bytes of the token by which a device names a batch: 1,024.
    public var clientTokenBytes: Int
    /// Devices of one person whose last token a zone remembers: 100. The one that wrote longest ago is
    /// forgotten for one more.
    public var clientsPerZone: Int

    /// Requests of one person in a container; nil: any number.
    public var personRate: Rate?
    /// Requests of those who show one API token or key and are no person; nil: any number.
    public var appRate: Rate?
    /// Requests of everybody in a container; nil: any number.
    public var containerRate: Rate?

    /// What subscriptions and pushes may take up.
    public var pushes: Pushes

    /// What one request, and all requests together, may cost the server.
    public var costs: Costs

    /// What records and files may take up; nil: any amount.
    public var quota: Quota?

    /// So many requests in so many seconds, all of them at once if they were saved up.
    public struct Rate: Hashable, Sendable {
        /// The number of requests.
        public var requests: Int
        /// The seconds in which that number comes back.
        public var seconds: Int

        /// That many requests in that many seconds.
        public init(_ requests: Int, perSeconds seconds: Int) {
            self.requests = requests
            self.seconds = seconds
        }

        var value: RequestRate { RequestRate(requests: requests, seconds: seconds) }
    }

    /// The limits of a server that strangers use: those of `init()`, and rates and a quota that no use meets
    /// and abuse does. A person has 40 requests a second, as the real service is said to allow, and some in
    /// hand.
    public static var hosted: ServerLimits {
        var limits = ServerLimits()
        limits.personRate = Rate(4000, perSeconds: 100)
        limits.appRate = Rate(40_000, perSeconds: 100)
        limits.containerRate = Rate(400_000, perSeconds: 100)
        limits.quota = Quota()
        return limits
    }

    /// The limits that a server has unless it is told others.
    public init() {
        let limits = Limits()
        operationsPerRequest = limits.operationsPerRequest
        recordsPerResponse = limits.recordsPerResponse
        answerBytes = limits.answerBytes
        lookupBytes = limits.lookupBytes
        tokensPerRequest = limits.tokensPerRequest
        zonesPerRequest = limits.zonesPerRequest
        recordBytes = limits.recordBytes
        assetBytes = limits.assetBytes
        requestBytes = limits.requestBytes
        deleteSelfSources = limits.deleteSelfSources
        filtersPerQuery = limits.filtersPerQuery
        listElements = limits.listElements
        uploadSeconds = limits.uploadLifetime
        downloadSeconds = limits.downloadLifetime
        deletionSeconds = limits.deletionLifetime
        sessionSeconds = limits.sessionLifetime
        longSessionSeconds = limits.longSessionLifetime
        signatureSkewSeconds = limits.signatureSkew
        openDatabases = limits.openDatabases
        clientTokenBytes = limits.clientTokenBytes
        clientsPerZone = limits.clientsPerZone
        pushes = Pushes()
        costs = Costs()
    }

    /// The limits as the rooms of the server know them.
    var values: Limits {
        var limits = Limits()
        limits.operationsPerRequest = operationsPerRequest
        limits.recordsPerResponse = recordsPerResponse
        limits.tokensPerRequest = tokensPerRequest
        limits.answerBytes = answerBytes
        limits.lookupBytes = lookupBytes
        limits.zonesPerRequest = zonesPerRequest
        limits.recordBytes = recordBytes
        limits.assetBytes = assetBytes
        limits.requestBytes = requestBytes
        limits.deleteSelfSources = deleteSelfSources
        limits.filtersPerQuery = filtersPerQuery
        limits.listElements = listElements
        limits.uploadLifetime = uploadSeconds
        limits.downloadLifetime = downloadSeconds
        limits.deletionLifetime = deletionSeconds
        limits.sessionLifetime = sessionSeconds
        limits.longSessionLifetime = longSessionSeconds
        limits.signatureSkew = signatureSkewSeconds
        limits.openDatabases = openDatabases
        limits.clientTokenBytes = clientTokenBytes
        limits.clientsPerZone = clientsPerZone
        limits.personRate = personRate?.value
        limits.appRate = appRate?.value
        limits.containerRate = containerRate?.value
        limits.quota = quota?.value
        pushes.put(into: &limits)
        costs.put(into: &limits)
        return limits
    }
}
