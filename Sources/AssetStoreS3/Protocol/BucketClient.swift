import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Records

/// Sends requests of the S3 protocol, and repeats those that failed for a reason that may pass.
///
/// Every request has the same effect if it is repeated, so a lost answer is no error.
struct BucketClient: Sendable {
    let http: HTTPClient
    let address: BucketAddress
    let signer: RequestSigner
    /// The system's time.
    let now: @Sendable () -> Date
    let pause: @Sendable (Duration) async throws -> Void
    /// How long an attempt waits for the beginning of an answer. The pieces that follow have a timeout of
    /// `http`.
    let timeout: TimeAmount
    /// Called after each request: with a text for the operator if it failed although it was repeated, with
    /// nil if it was answered.
    let note: @Sendable (_ failure: String?) -> Void
    /// Whether problems are thrown as they are, for the operator, instead of as `RecordError`. Then nothing
    /// is noted, because the operator sees the problem.
    var showsProblems = false

    private static let attempts = 4

    struct Request {
        var method: HTTPMethod
        /// nil: the bucket itself.
        var key: String?
        var query: [(String, String)] = []
        var headers: [(name: String, value: String)] = []
        var body = ByteBuffer()
        /// Whether an answer without an error is in XML.
        var wantsXML = false
        /// The largest body of an answer, in bytes.
        var answerBytes = 65_536
        /// When the request must not be sent again any more; nil: at no time.
        var deadline: Date?
    }

    struct Answer {
        var status: UInt
        var headers: HTTPHeaders
        var body: ByteBuffer

        /// The tag of an object, without quotation marks.
        var tag: String? { headers.first(name: "etag").map(BucketClient.unquoted) }

        var xml: AnswerElement? { AnswerElement.parse(Array(body.readableBytesView)) }

        /// Whether the object does not exist, or is not the one that was expected.
        var isMissing: Bool { status == 404 || status == 412 }
    }

    static func unquoted(_ tag: String) -> String { tag.trimmingCharacters(in: ["\""]) }

    /// Sends a request until it is answered, a few times at most. Answers with the statuses 404 and 412 are
    /// returned, except if the bucket is missing.
    func send(_ request: Request) async throws -> Answer {
        var hasGivenUp = false
        return try await send(request, hasGivenUp: &hasGivenUp)
    }

    /// Sends a request like `send(_:)`.
    ///
    /// - Parameter hasGivenUp: Set if an attempt got no answer in time, which may therefore still have an
    ///   effect later.
    func send(_ request: Request, hasGivenUp: inout Bool) async throws -> Answer {
        var attempt = 1
        while true {
            let problem: BucketProblem
            do {
                let answer = try await exchange(request)
                guard let refusal = refusal(in: answer, to: request) else {
                    if !showsProblems { note(nil) }
                    return answer
                }
                problem = refusal
            } catch is NIOTooManyBytesError {
                throw malformed
            } catch {
                if Self.isGivenUp(error) { hasGivenUp = true }
                try Task.checkCancellation()
                problem = BucketProblem(unreachable: address.text, "\(error)")
            }
            if !problem.isTemporary || attempt == Self.attempts { throw failure(problem) }
            try await pause(.milliseconds(100 << (2 * (attempt - 1))))
            if let deadline = request.deadline, now() > deadline { throw failure(problem) }
            attempt += 1
        }
    }

    /// Whether the object store may still be working on a request that ended with this error.
    private static func isGivenUp(_ error: any Error) -> Bool {
        if error is CancellationError { return true }
        let ends: [HTTPClientError] = [.deadlineExceeded, .readTimeout, .cancelled]
        return (error as? HTTPClientError).map { ends.contains($0) } ?? false
    }

    func failure(_ problem: BucketProblem) -> any Error {
        if showsProblems { return problem }
        if problem.isTemporary { note("files cannot be read or stored: \(problem)") }
        return RecordError(problem)
    }

    /// The error for an answer that does not follow the protocol.
    var malformed: any Error { failure(BucketProblem(malformedAnswerOf: address.text)) }

    private func exchange(_ request: Request) async throws -> Answer {
        let query = URLText.query(request.query)
        let parts = RequestSigner.Parts(
            method: request.method.rawValue, host: address.host, path: address.path(of: request.key),
            query: query, headers: request.headers,
            bodyHash: RequestSigner.hash(request.body.readableBytesView))
        var outgoing = HTTPClientRequest(
            url: "\(address.scheme)://\(parts.host)\(parts.path)" + (query.isEmpty ? "" : "?" + query))
        outgoing.method = request.method
        for (name, value) in signer.headers(for: parts, at: now()) {
            outgoing.headers.add(name: name, value: value)
        }
        if request.body.readableBytes > 0 || [.PUT, .POST].contains(request.method) {
            outgoing.body = .bytes(request.body)
        }
        let response = try await http.execute(outgoing, timeout: timeout)
        let body = try await response.body.collect(upTo: request.answerBytes)
        return Answer(status: response.status.code, headers: response.headers, body: body)
    }

    /// The problem that an answer tells; nil if it tells none. An answer in XML with the status 200 may
    /// contain an error, because the object store began to answer before it had finished.
    private func refusal(in answer: Answer, to request: Request) -> BucketProblem? {
        let isSuccess = (200..<300).contains(answer.status)
        // A file may have any content, also that of an error.
        if isSuccess, !request.wantsXML { return nil }
        let error = answer.xml.flatMap { $0.name == "Error" ? $0 : nil }
        if isSuccess, error == nil { return nil }
        let code = error?["Code"]
        if answer.isMissing, code != "NoSuchBucket" { return nil }
        return BucketProblem(
            status: answer.status, code: code.map { String($0.prefix(100)) },
            message: error?["Message"].map { String($0.prefix(300)) },
            region: error?["Region"] ?? answer.headers.first(name: "x-amz-bucket-region"), at: address.text)
    }
}
