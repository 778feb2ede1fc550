import Testing

@testable import AssetStoreS3

@Suite("Answers of object stores")
struct AnswerTests {
    @Test("An answer in XML is read, with entities and nested elements")
    func list() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>x</Name>
            <Contents><Key>a&amp;b</Key><ETag>&quot;1&quot;</ETag></Contents><Contents><Key>c</Key></Contents>
            </ListBucketResult>
            """
        let root = try #require(AnswerElement.parse(Array(text.utf8)))
        #expect(root.name == "ListBucketResult")
        #expect(root["Name"] == "x")
        #expect(root.all("Contents").map { $0["Key"] } == ["a&b", "c"])
        #expect(root.all("Contents")[0]["ETag"] == "\"1\"")
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "x", "<a>", "<a><b></a>", "{\"a\":1}",
            String(repeating: "<a>", count: 20) + String(repeating: "</a>", count: 20),
            "<a>" + String(repeating: "<b/>", count: 40_001) + "</a>",
        ])
    func malformed(_ text: String) {
        #expect(AnswerElement.parse(Array(text.utf8)) == nil)
    }

    @Test("An entity from outside is not read")
    func entity() {
        let text = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><a>&x;</a>"
        #expect(AnswerElement.parse(Array(text.utf8))?.text ?? "" == "")
    }

    @Test(
        "A refusal says what is wrong and what to do",
        arguments: [
            (404, "NoSuchBucket", "does not exist", "create it", false),
            (403, "InvalidAccessKeyId", "does not accept the keys", "AWS_ACCESS_KEY_ID", false),
            (403, "SignatureDoesNotMatch", "does not accept the keys", "AWS_SECRET_ACCESS_KEY", false),
            (403, "AccessDenied", "may not use the bucket", "allow them", false),
            (403, "RequestTimeTooSkewed", "clocks", "timedatectl", false),
            (301, "PermanentRedirect", "another region: eu-west-1", "region=eu-west-1", false),
            (507, "StorageFull", "is full", "enlarge", false),
            (503, "SlowDown", "status 503", "a little later", true), (500, nil, "status 500", "", true),
            (400, "RequestTimeout", "RequestTimeout", "", true),
            (400, "EntityTooSmall", "EntityTooSmall", "", false),
        ] as [(UInt, String?, String, String, Bool)])
    func problem(_ status: UInt, _ code: String?, _ reason: String, _ next: String, _ isTemporary: Bool) {
        let problem = BucketProblem(
            status: status, code: code, message: "said", region: "eu-west-1", at: "files at https://x")
        #expect(problem.reason.contains(reason))
        #expect(problem.nextStep.contains(next) || next.isEmpty)
        #expect(problem.isTemporary == isTemporary)
    }
}
