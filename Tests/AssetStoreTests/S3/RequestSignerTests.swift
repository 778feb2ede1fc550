import Foundation
import Testing

@testable import AssetStoreS3

/// The examples of *Authenticating Requests (AWS Signature Version 4)* in Amazon's reference of the S3
/// protocol.
@Suite("Signatures of requests to object stores")
struct RequestSignerTests {
    private let signer = RequestSigner(
        credentials: BucketCredentials(
            keyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")
    /// 24 May 2013, 00:00:00 UTC.
    private let date = Date(timeIntervalSince1970: 1_369_353_600)

    private func parts(_ method: String, _ path: String) -> RequestSigner.Parts {
        RequestSigner.Parts(method: method, host: "examplebucket.s3.amazonaws.com", path: path)
    }

    private func signature(of parts: RequestSigner.Parts) throws -> String {
        let headers = signer.headers(for: parts, at: date)
        let authorization = try #require(headers.first { $0.name == "authorization" }?.value)
        return String(authorization.suffix(64))
    }

    @Test("Get a range of an object")
    func get() throws {
        var parts = parts("GET", "/test.txt")
        parts.headers = [("range", "bytes=0-9")]
        #expect(
            try signature(of: parts) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test("Put an object")
    func put() throws {
        var parts = parts("PUT", URLText.encode("/test$file.text", keepsSlashes: true))
        parts.headers = [
            ("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ]
        parts.bodyHash = RequestSigner.hash("Welcome to Amazon S3.".utf8)
        #expect(
            try signature(of: parts) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test("Get a setting of a bucket, with a parameter without a value")
    func lifecycle() throws {
        var parts = parts("GET", "/")
        parts.query = URLText.query([("lifecycle", "")])
        #expect(
            try signature(of: parts) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    }

    @Test("List objects, with sorted parameters")
    func list() throws {
        var parts = parts("GET", "/")
        parts.query = URLText.query([("prefix", "J"), ("max-keys", "2")])
        #expect(
            try signature(of: parts) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test("The address of an object that anyone may read for a day")
    func presigned() {
        let query = signer.query(for: parts("GET", "/test.txt"), at: date, seconds: 86_400)
        #expect(
            query == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    @Test("The token of temporary keys is signed")
    func token() {
        let signer = RequestSigner(
            credentials: BucketCredentials(keyID: "K", secret: "S", sessionToken: "T"), region: "r")
        let headers = signer.headers(for: parts("GET", "/"), at: date)
        #expect(headers.contains { $0.name == "x-amz-security-token" && $0.value == "T" })
        #expect(headers.last?.value.contains("x-amz-date;x-amz-security-token,") == true)
    }
}
