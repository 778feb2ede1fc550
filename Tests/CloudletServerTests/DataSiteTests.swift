import Testing

@testable import CloudletServer

@Suite("The places of a server's data")
struct DataSiteTests {
    @Test(
        "An address is shown without the secrets in it",
        arguments: [
            ("postgresql://cloudlet@db/cloudlet", "postgresql://cloudlet@db/cloudlet"),
            ("postgresql://cloudlet:geheim@db:5432/cloudlet", "postgresql://cloudlet@db:5432/cloudlet"),
            ("postgres://:geheim@db1,db2/cloudlet", "postgres://db1,db2/cloudlet"),
            ("postgresql://a:ge@heim@db", "postgresql://a@db"),
            ("postgresql://a:ge?heim@db/c", "postgresql://a@db/c"),
            ("postgresql://db?password=ge@heim", "postgresql://db@heim"),
            ("postgresql://db", "postgresql://db"),
            ("postgresql:///c?user=a&host=%2Frun", "postgresql:///c?user=a&host=%2Frun"),
            ("postgresql://db/c?password=geheim", "postgresql://db/c"),
            ("postgresql://db/c?scram_client_key=geheim", "postgresql://db/c"),
            (
                "postgresql://db/c?pass%77ord=geheim&options=-csearch_path%3Da&sslpassword=geheim",
                "postgresql://db/c?options=-csearch_path%3Da"
            ),
            ("host=db password=geheim", "the PostgreSQL database"),
        ])
    func address(given: String, shown: String) {
        #expect(DataSite.withoutSecrets(given) == shown)
    }
}
