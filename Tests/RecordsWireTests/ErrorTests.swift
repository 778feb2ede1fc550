import Records
import RecordsWire
import Testing

@Suite("Encoding of errors")
struct ErrorTests {
    /// The codes in the closed enumerations of existing clients, with their statuses.
    static let documented: [String: Int] = [
        "ACCESS_DENIED": 403, "ATOMIC_ERROR": 400, "AUTHENTICATION_FAILED": 401,
        "AUTHENTICATION_REQUIRED": 421,
        "BAD_REQUEST": 400, "CONFLICT": 409, "EXISTS": 409, "INTERNAL_ERROR": 500, "NOT_FOUND": 404,
        "QUOTA_EXCEEDED": 413, "THROTTLED": 429, "TRY_AGAIN_LATER": 503, "VALIDATING_REFERENCE_ERROR": 412,
        "ZONE_NOT_FOUND": 404,
    ]

    @Test(
        "Only the fourteen documented codes are sent, with their statuses",
        arguments: RecordError.Code.allCases
    )
    func table(code: RecordError.Code) {
        #expect(Self.documented[code.wireName] == code.status)
    }

    @Test("Every documented code is decoded", arguments: documented.keys.sorted())
    func codes(name: String) {
        #expect(RecordError.Code(wireName: name).wireName == name)
    }

    @Test("Cloudlet's own client decodes errors without loss", arguments: RecordError.Code.allCases)
    func details(code: RecordError.Code) throws {
        var error = RecordError(code, "why", culprit: "who", nextStep: "what now", retryAfter: 3)
        error.redirectURL = "https://auth.example"
        error.unknownField = "colour"
        error.serverRecord = Record(id: RecordID(name: "a"), type: "T", fields: ["f": Field(.int64(1))])
        let context = AnswerContext(uuid: "U", addsDetails: true)
        let read = RecordError(status: code.status, body: error.encoded(in: context))
        #expect(read == error)
        let plain = RecordError(
            status: code.status, body: error.encoded(in: AnswerContext(uuid: "U", addsDetails: false)))
        #expect(!plain.isExact)
        #expect(plain.code.wireName == code.wireName)
    }

    @Test("For other clients, an error has only the documented keys")
    func plain() {
        let error = RecordError(
            .limitExceeded, "too many operations", culprit: "operations", nextStep: "Halve.")
        let body = text(error.encoded(in: AnswerContext(uuid: "U")))
        #expect(body == #"{"uuid":"U","serverErrorCode":"BAD_REQUEST","reason":"too many operations"}"#)
    }

    @Test(
        "Without an error in the body, the status determines the code",
        arguments: [
            (400, RecordError.Code.badRequest), (401, .authenticationFailed), (403, .accessDenied),
            (404, .notFound),
            (409, .conflict), (413, .quotaExceeded), (421, .authenticationRequired), (429, .throttled),
            (500, .internalError), (502, .tryAgainLater), (503, .tryAgainLater), (504, .tryAgainLater),
            (200, .internalError),
        ]
    )
    func statuses(status: Int, code: RecordError.Code) {
        for body in ["", "<html>Bad gateway</html>", "{}", "[]"] {
            #expect(RecordError(status: status, body: Array(body.utf8)).code == code)
        }
    }

    @Test("An answer of a proxy is told as one, and not as a wrong address", arguments: [502, 503, 504])
    func proxy(status: Int) {
        let error = RecordError(status: status, body: Array("<html>Bad gateway</html>".utf8))
        #expect(
            error.reason
                == "a proxy answered with status \(status), because the server behind it does not answer")
        #expect(error.nextStep?.contains("try again later") == true)
        #expect(error.nextStep?.contains("check that it runs") == true)
        #expect(!error.isExact)
        // The server's own refusal keeps its reason.
        let own = #"{"serverErrorCode":"TRY_AGAIN_LATER","reason":"the server is shutting down"}"#
        #expect(RecordError(status: status, body: Array(own.utf8)).reason == "the server is shutting down")
    }

    @Test(
        "Error codes of other servers are decoded",
        arguments: [
            (#"{"serverErrorCode":"ZONE_BUSY","retryAfter":"30s"}"#, RecordError.Code.zoneBusy, 30 as Int?),
            (#"{"serverErrorCode":"CHANGE_TOKEN_EXPIRED","retryAfter":"soon"}"#, .changeTokenExpired, nil),
            (#"{"serverErrorCode":"FUTURE_ERROR","retryAfter":1.2}"#, .internalError, 2),
            (#"{"extensionErrorCode":"X","serverErrorCode":null,"retryAfter":-1}"#, .internalError, nil),
            (#"{"serverErrorCode":"THROTTLED","retryAfter":1e300}"#, .throttled, 31_536_000),
        ]
    )
    func oddities(json: String, code: RecordError.Code, retryAfter: Int?) throws {
        let error = RecordError(try node(json))
        #expect(error.code == code)
        #expect(error.retryAfter == retryAfter)
        #expect(!error.reason.isEmpty)
    }
}
