import Testing

@testable import Records

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("Each byte becomes two lower-case digits; a UUID has upper-case digits in groups")
    func digits() {
        let bytes: [UInt8] = [0, 1, 15, 16, 171, 255, 6, 7, 8, 9, 10, 11, 12, 13, 14, 254]
        #expect(bytes.hexadecimal == "00010f10abff060708090a0b0c0d0efe")
        #expect(bytes.uuidText == "00010F10-ABFF-0607-0809-0A0B0C0D0EFE")
    }
}
