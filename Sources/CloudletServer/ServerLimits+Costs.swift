// Owns the limits on the cost of requests as the user of a server sets them.

import Records

extension ServerLimits {
    /// What one request, and all requests together, may cost the server.
    public struct Costs: Hashable, Sendable {
        /// Elements of all lists of all records that one request saves: 100,000.
        public var elementsPerRequest: Int
        /// Sort criteria in one query: 8.
        public var sortsPerQuery: Int
        /// Names in one `desiredKeys`, in those of all records of a lookup together, and in one
        /// `desiredRecordTypes`: 1,000.
        public var keysPerRequest: Int
        /// Characters of the texts of all searches of one query together: 1,000.
        public var searchCharacters: Int
        /// Words of the texts of all searches of one query together: 100.
        public var searchWords: Int
        /// Creation and modification times that all `IN` lists of one query name together: 100.
        public var timesPerQuery: Int
        /// Custom zones of one database: 1,000.
        public var zonesPerDatabase: Int
        /// Zones in one answer to zones/list: 1,000.
        public var zonesPerResponse: Int
        /// Fields of one record type: 400.
        public var fieldsPerType: Int
        /// Fields that one request adds to the schema, of all types together: 100.
        public var newFieldsPerRequest: Int
        /// Record types of one schema: 500.
        public var typesPerSchema: Int
        /// Record types that one request adds to the schema: 20.
        public var newTypesPerRequest: Int
        /// Bytes of all texts, keys and arguments of one subscription together: 4,096.
        public var subscriptionBytes: Int
        /// Bytes of the notifications that one person has not read, in one database: 4 MB.
        public var notificationBytes: Int
        /// Bytes of notifications with which a page of the notification collection ends: 1 MB.
        public var notificationPageBytes: Int
        /// The largest badge: 999,999,999.
        public var badge: Int
        /// Polls and streams for pushes that one person has open in a container: 200.
        public var streamsPerPerson: Int
        /// Sessions of one person in a container: 100.
        public var sessionsPerPerson: Int
        /// Containers up to which an open server makes those that somebody writes to: 1,000.
        public var openServerContainers: Int
        /// Signed requests of one server-to-server key that are remembered until their dates are too old, so
        /// that none is taken twice: 500,000. A key that signs more is throttled.
        public var signaturesPerKey: Int
        /// Bytes of a request's body from somebody who has not signed in: 1 MB.
        public var anonymousRequestBytes: Int
        /// Bytes of bodies that are being received, of all requests together: 128 MB.
        public var receivingBytes: Int
        /// Bytes of answers that have not been sent yet, of all connections together: 128 MB.
        public var sendingBytes: Int
        /// Bytes a second below which a body that is being received, or an answer that is being read, is
        /// given up: 8,192.
        public var transferBytesPerSecond: Int
        /// Seconds for which a transfer may be slower than that: 20.
        public var transferPatienceSeconds: Int
        /// Instructions of the database engine that the reads of a request may take where it is answered;
        /// what takes more runs on threads for slow reads: 30,000.
        public var readSteps: Int
        /// Seconds after which a slow read of a database is broken off: 10.
        public var readSeconds: Int
        /// Bytes of files of one person that were uploaded and that no record refers to yet: 1 GB.
        public var waitingUploadBytes: Int64

        /// The limits that a server has unless it is told others.
        public init() {
            let limits = Limits()
            elementsPerRequest = limits.elementsPerRequest
            sortsPerQuery = limits.sortsPerQuery
            keysPerRequest = limits.keysPerRequest
            searchCharacters = limits.searchCharacters
            searchWords = limits.searchWords
            timesPerQuery = limits.timesPerQuery
            zonesPerDatabase = limits.zonesPerDatabase
            zonesPerResponse = limits.zonesPerResponse
            fieldsPerType = limits.fieldsPerType
            newFieldsPerRequest = limits.newFieldsPerRequest
            typesPerSchema = limits.typesPerSchema
            newTypesPerRequest = limits.newTypesPerRequest
            subscriptionBytes = limits.subscriptionBytes
            notificationBytes = limits.notificationBytes
            notificationPageBytes = limits.notificationPageBytes
            badge = limits.badge
            streamsPerPerson = limits.streamsPerPerson
            sessionsPerPerson = limits.sessionsPerPerson
            openServerContainers = limits.openServerContainers
            signaturesPerKey = limits.signaturesPerKey
            anonymousRequestBytes = limits.anonymousRequestBytes
            receivingBytes = limits.receivingBytes
            sendingBytes = limits.sendingBytes
            transferBytesPerSecond = limits.transferRate
            transferPatienceSeconds = limits.transferPatience
            readSteps = limits.readSteps
            readSeconds = limits.readSeconds
            waitingUploadBytes = limits.waitingUploadBytes
        }

        func put(into limits: inout Limits) {
            limits.elementsPerRequest = elementsPerRequest
            limits.sortsPerQuery = sortsPerQuery
            limits.keysPerRequest = keysPerRequest
            limits.searchCharacters = searchCharacters
            limits.searchWords = searchWords
            limits.timesPerQuery = timesPerQuery
            limits.zonesPerDatabase = zonesPerDatabase
            limits.zonesPerResponse = zonesPerResponse
            limits.fieldsPerType = fieldsPerType
            limits.newFieldsPerRequest = newFieldsPerRequest
            limits.typesPerSchema = typesPerSchema
            limits.newTypesPerRequest = newTypesPerRequest
            limits.subscriptionBytes = subscriptionBytes
            limits.notificationBytes = notificationBytes
            limits.notificationPageBytes = notificationPageBytes
            limits.badge = badge
            limits.streamsPerPerson = streamsPerPerson
            limits.sessionsPerPerson = sessionsPerPerson
            limits.openServerContainers = openServerContainers
            limits.signaturesPerKey = signaturesPerKey
            limits.anonymousRequestBytes = anonymousRequestBytes
            limits.receivingBytes = receivingBytes
            limits.sendingBytes = sendingBytes
            limits.transferRate = transferBytesPerSecond
            limits.transferPatience = transferPatienceSeconds
            limits.readSteps = readSteps
            limits.readSeconds = readSeconds
            limits.waitingUploadBytes = waitingUploadBytes
        }
    }
}
