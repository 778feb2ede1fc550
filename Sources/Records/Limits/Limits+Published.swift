extension Limits {
    /// A limit with the name under which `GET /limits` publishes it.
    package struct Published: Sendable {
        package let name: StaticString
        private let get: @Sendable (Limits) -> Int64
        private let set: @Sendable (inout Limits, Int64) -> Void

        fileprivate init<Number: FixedWidthInteger & SendableMetatype>(
            _ name: StaticString, _ path: any WritableKeyPath<Limits, Number> & Sendable
        ) {
            self.name = name
            get = { Int64($0[keyPath: path]) }
            set = { $0[keyPath: path] = Number(clamping: $1) }
        }

        /// The value of the limit.
        package func value(in limits: Limits) -> Int64 { get(limits) }

        /// Sets the limit to `number` if that is positive and lower than the current value. So a client obeys
        /// both its own limit and the server's.
        package func lower(to number: Int64, in limits: inout Limits) {
            if number > 0 { set(&limits, min(get(limits), number)) }
        }
    }

    /// All limits that `GET /limits` publishes, in the order of the answer.
    package static let published =
        sizes + costs + [
            Published("assetBytes", \.assetBytes),
            Published("waitingUploadBytes", \.waitingUploadBytes),
            Published("waitingUploads", \.waitingUploads),
            Published("uploadsPerPerson", \.uploadsPerPerson),
        ]

    private static let sizes: [Published] = [
        Published("operationsPerRequest", \.operationsPerRequest),
        Published("recordsPerResponse", \.recordsPerResponse),
        Published("answerBytes", \.answerBytes),
        Published("lookupBytes", \.lookupBytes),
        Published("tokensPerRequest", \.tokensPerRequest),
        Published("zonesPerRequest", \.zonesPerRequest),
        Published("sharesPerRequest", \.sharesPerRequest),
        Published("recordBytes", \.recordBytes),
        Published("requestBytes", \.requestBytes),
        Published("nameCharacters", \.nameCharacters),
        Published("deletionsPerDatabase", \.deletionsPerDatabase),
        Published("cascadeRecords", \.cascadeRecords),
        Published("movedRecords", \.movedRecords),
        Published("deleteSelfSources", \.deleteSelfSources),
        Published("filtersPerQuery", \.filtersPerQuery),
        Published("listElements", \.listElements),
        Published("uploadSeconds", \.uploadSeconds),
        Published("downloadSeconds", \.downloadSeconds),
        Published("deletionSeconds", \.deletionSeconds),
        Published("clientTokenBytes", \.clientTokenBytes),
        Published("clientsPerZone", \.clientsPerZone),
        Published("clientsPerDatabase", \.clientsPerDatabase),
        Published("participantsPerShare", \.participantsPerShare),
        Published("sharesPerPerson", \.sharesPerPerson),
        Published("sharedZonesPerPerson", \.sharedZonesPerPerson),
        Published("sharedRowsPerPage", \.sharedRowsPerPage),
        Published("nesting", \.nesting),
        Published("jsonValues", \.jsonValues),
        Published("subscriptions", \.subscriptions),
        Published("pushFields", \.pushFields),
        Published("pushTextCharacters", \.pushTextCharacters),
        Published("pushBytes", \.pushBytes),
        Published("devicesPerPerson", \.devicesPerPerson),
        Published("pushQueue", \.pushQueue),
        Published("pushSeconds", \.pushSeconds),
        Published("pushPresenceSeconds", \.pushPresenceSeconds),
        Published("pushPollSeconds", \.pushPollSeconds),
        Published("notificationSeconds", \.notificationSeconds),
        Published("notificationsPerPerson", \.notificationsPerPerson),
    ]

    private static let costs: [Published] = [
        Published("elementsPerRequest", \.elementsPerRequest),
        Published("searchableBytesPerRequest", \.searchableBytesPerRequest),
        Published("sortsPerQuery", \.sortsPerQuery),
        Published("keysPerRequest", \.keysPerRequest),
        Published("searchCharacters", \.searchCharacters),
        Published("searchWords", \.searchWords),
        Published("timesPerQuery", \.timesPerQuery),
        Published("zonesPerDatabase", \.zonesPerDatabase),
        Published("zonesPerResponse", \.zonesPerResponse),
        Published("fieldsPerType", \.fieldsPerType),
        Published("fieldsPerSchema", \.fieldsPerSchema),
        Published("newFieldsPerRequest", \.newFieldsPerRequest),
        Published("typesPerSchema", \.typesPerSchema),
        Published("newTypesPerRequest", \.newTypesPerRequest),
        Published("subscriptionBytes", \.subscriptionBytes),
        Published("subscriptionElements", \.subscriptionElements),
        Published("pushesPerChange", \.pushesPerChange),
        Published("pushesPerCommit", \.pushesPerCommit),
        Published("pushesPerCommitOfAll", \.pushesPerCommitOfAll),
        Published("pushBytesPerCommit", \.pushBytesPerCommit),
        Published("parentLevels", \.parentLevels),
        Published("notificationBytes", \.notificationBytes),
        Published("notificationPageBytes", \.notificationPageBytes),
        Published("badge", \.badge),
        Published("streamsPerPerson", \.streamsPerPerson),
        Published("sessionsPerPerson", \.sessionsPerPerson),
        Published("openServerContainers", \.openServerContainers),
        Published("signaturesPerKey", \.signaturesPerKey),
        Published("followedRecords", \.followedRecords),
        Published("followedSeconds", \.followedSeconds),
        Published("anonymousRequestBytes", \.anonymousRequestBytes),
        Published("requestHeadBytes", \.requestHeadBytes),
        Published("connections", \.connections),
        Published("receivingBytes", \.receivingBytes),
        Published("sendingBytes", \.sendingBytes),
        Published("transferBytesPerSecond", \.transferBytesPerSecond),
        Published("transferPatienceSeconds", \.transferPatienceSeconds),
        Published("readSteps", \.readSteps),
        Published("readSeconds", \.readSeconds),
    ]
}

extension QuotaRules {
    /// All numbers of a quota with their names, in the order of the answer to `GET /limits`.
    package static let published:
        [(name: StaticString, path: any WritableKeyPath<QuotaRules, Int64> & Sendable)] = [
            ("publicRecordBytes", \.publicRecordBytes),
            ("publicAssetBytes", \.publicAssetBytes),
            ("publicRecordBytesPerUser", \.publicRecordBytesPerUser),
            ("publicAssetBytesPerUser", \.publicAssetBytesPerUser),
            ("mostUsers", \.mostUsers),
            ("personBytes", \.personBytes),
            ("publicPersonPercent", \.publicPersonPercent),
        ]
}
