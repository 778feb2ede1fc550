/// All rows in the order in which they run.
enum BenchmarkRows {
    static let all: [any BenchmarkRow.Type] = [
        BatchedSaves.self, SingleSaves.self, NewestOfParent.self, DeltaDownload.self, PushLatency.self,
        PushBurst.self, ManySubscriptions.self, StartToReady.self, TenfoldData.self, AssetTransfer.self,
        ReplicaFirstSync.self, LoopbackRoundTrip.self, SharedPage.self, ObjectFirstImport.self,
        ObjectEdit.self, TypedTogether.self, EngineFirstFetch.self, WorldStartStop.self,
        CountedQueries.self, ConsolePages.self, HonestAmongHostile.self, ObjectRead.self,
        PostgreSQLBatchedSaves.self, PostgreSQLSingleSaves.self, PostgreSQLQueries.self,
        PostgreSQLDownload.self, NodeCosts.self, PeopleCosts.self,
    ]
}
