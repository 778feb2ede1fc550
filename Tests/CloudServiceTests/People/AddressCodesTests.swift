import Records
import Testing

@testable import CloudService

@Suite("Codes that prove addresses (N75)")
struct AddressCodesTests {
    private static let claim = AddressCodes.Claim(account: "a", address: .email("eva@example.org"))

    private func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    @Test("A code is valid once, until it expires, for its account and address only")
    func once() throws {
        var codes = AddressCodes(Limits())
        _ = codes.add("12345678", for: Self.claim, at: time(0))
        let other = AddressCodes.Claim(account: "b", address: Self.claim.address)
        #expect(throws: RecordError.self) { try codes.use("12345678", for: other, at: time(1)) }
        try codes.use("12345678", for: Self.claim, at: time(599))
        #expect(throws: RecordError.self) { try codes.use("12345678", for: Self.claim, at: time(599)) }
        _ = codes.add("12345678", for: Self.claim, at: time(700))
        #expect(throws: RecordError.self) { try codes.use("12345678", for: Self.claim, at: time(1300)) }
    }

    @Test("A wrong, an old and a missing code have the same error")
    func sameError() throws {
        var codes = AddressCodes(Limits())
        let missing = #expect(throws: RecordError.self) { try codes.use("1", for: Self.claim, at: time(0)) }
        _ = codes.add("12345678", for: Self.claim, at: time(0))
        let wrong = #expect(throws: RecordError.self) { try codes.use("1", for: Self.claim, at: time(0)) }
        let old = #expect(throws: RecordError.self) {
            try codes.use("12345678", for: Self.claim, at: time(600))
        }
        #expect(missing == wrong)
        #expect(missing == old)
        #expect(missing?.code == .accessDenied)
    }

    @Test("A code becomes invalid after the maximum number of wrong tries")
    func tries() throws {
        var limits = Limits()
        limits.addressCodeTries = 2
        var codes = AddressCodes(limits)
        _ = codes.add("12345678", for: Self.claim, at: time(0))
        #expect(throws: RecordError.self) { try codes.use("0", for: Self.claim, at: time(1)) }
        try codes.use("12345678", for: Self.claim, at: time(2))
        _ = codes.add("87654321", for: Self.claim, at: time(3))
        for _ in 0..<2 {
            #expect(throws: RecordError.self) { try codes.use("0", for: Self.claim, at: time(4)) }
        }
        #expect(throws: RecordError.self) { try codes.use("87654321", for: Self.claim, at: time(5)) }
    }

    @Test("The codes that an account requests, and those sent to an address, are limited in an hour")
    func rate() throws {
        #expect(Limits().addressCodesPerHour == 5)
        #expect(Limits().codesPerAddress == 30)
        var limits = Limits()
        limits.addressCodesPerHour = 2
        limits.codesPerAddress = 3
        var codes = AddressCodes(limits)
        for seconds in [0, 100] as [Int64] { try codes.request(by: "a", at: time(seconds)) }
        let error = #expect(throws: RecordError.self) { try codes.request(by: "a", at: time(200)) }
        #expect(error?.code == .throttled)
        #expect(error?.retryAfter == 3400)
        try codes.request(by: "b", at: time(200))
        try codes.request(by: "a", at: time(3600))
        let claims = ["a", "b", "c", "d"].map { AddressCodes.Claim(account: $0, address: Self.claim.address) }
        let areSent = claims.map { codes.add("12345678", for: $0, at: time(0)) }
        #expect(areSent == [true, true, true, false])
        // A code that is not sent does not replace the earlier one.
        let replaces = codes.add("87654321", for: claims[0], at: time(1))
        #expect(!replaces)
        try codes.use("12345678", for: claims[0], at: time(2))
        let isSentLater = codes.add("12345678", for: claims[3], at: time(3600))
        #expect(isSentLater)
    }

    @Test("The number of codes and of counted people is limited, and old ones make room")
    func room() throws {
        var codes = AddressCodes(Limits())
        for number in 0..<20_000 { try codes.request(by: "\(number)", at: time(0)) }
        let error = #expect(throws: RecordError.self) { try codes.request(by: "new", at: time(1)) }
        #expect(error?.code == .tryAgainLater)
        try codes.request(by: "new", at: time(3600))
        #expect(codes.count == 1)
    }
}
