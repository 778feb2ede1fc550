import Records
import Testing

@testable import AssetStoreS3

@Suite("Addresses of buckets")
struct BucketAddressTests {
    @Test("An endpoint has the bucket in the path, unless the address says otherwise")
    func endpoint() throws {
        let address = try BucketAddress("s3://files/parties/a?endpoint=http://127.0.0.1:8333")
        #expect(address.bucket == "files")
        #expect(address.prefix == "parties/a/")
        #expect(address.region == "us-east-1")
        #expect(address.host == "127.0.0.1:8333")
        #expect(address.scheme == "http")
        #expect(address.path(of: "x y%") == "/files/parties/a/x%20y%25")
        #expect(address.path(of: nil) == "/files")
        #expect(address.text == "files at http://127.0.0.1:8333")
        let host = try BucketAddress("s3://files?endpoint=https://s3.example.org/&style=host&region=eu")
        #expect(host.host == "files.s3.example.org")
        #expect(host.path(of: "a/b") == "/a/b")
        #expect(host.path(of: nil) == "/")
        #expect(host.region == "eu")
    }

    @Test("Without an endpoint, the bucket is one of Amazon S3")
    func amazon() throws {
        let address = try BucketAddress("s3://files?region=eu-central-1")
        #expect(address.host == "files.s3.eu-central-1.amazonaws.com")
        #expect(address.scheme == "https")
        #expect(try BucketAddress("s3://files", region: "eu-west-1").region == "eu-west-1")
        #expect(try BucketAddress("s3://fi.les?region=eu-west-1").isInPath)
    }

    @Test(
        "Another address is refused with the reason",
        arguments: [
            ("files", "is not an address"), ("https://files", "is not an address"),
            ("s3://", "is not"), ("s3://Files?region=eu", "not the name of a bucket"),
            ("s3://a?region=eu", "not the name of a bucket"),
            ("s3://files", "neither an endpoint nor a region"),
            ("s3://files:80?region=eu", "is not an address"),
            ("s3://key:secret@files?region=eu", "contains a key"),
            ("s3://files?region=eu&region=us", "region occurs twice"), ("s3://files?zone=eu", "\"zone\""),
            ("s3://files?region=e/u", "not a region"), ("s3://files?region=", "not a region"),
            ("s3://files?endpoint=s3.example.org", "the endpoint"),
            ("s3://files?endpoint=ftp://s3.example.org", "the endpoint"),
            ("s3://files?endpoint=http://127.0.0.1:99999", "the endpoint"),
            ("s3://files?endpoint=https://s3.example.org/path", "the endpoint"),
            ("s3://files?endpoint=https://a:b@s3.example.org", "the endpoint"),
            ("s3://files/a/../b?region=eu", "the prefix"), ("s3://files/a%20b?region=eu", "the prefix"),
            ("s3://files/\(String(repeating: "a", count: 301))?region=eu", "the prefix"),
            ("s3://files?region=eu&style=round", "style is either"),
            ("s3://files?region=eu&downloads=often", "downloads is either"),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: RecordError.self) { try BucketAddress(text) }
        #expect(error?.reason.contains(reason) == true, "\(text): \(error?.reason ?? "")")
        #expect(error?.nextStep?.isEmpty == false)
    }
}
