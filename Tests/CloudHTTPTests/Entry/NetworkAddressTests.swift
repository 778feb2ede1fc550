import Testing

@testable import CloudHTTP

@Suite("Network addresses")
struct NetworkAddressTests {
    @Test(
        "Limits count an IPv4 address by itself, and an IPv6 address by its /64",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:0201", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
            ("2001:DB8::1", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"), ("::", "0:0:0:0::/64"),
            ("fe80::1%eth0", "fe80:0:0:0::/64"), ("1::", "1:0:0:0::/64"),
            ("1:2:3:4:5:6:7.8.9.10", "1:2:3:4::/64"), ("::7.8.9.10", "0:0:0:0::/64"),
        ])
    func read(text: String, key: String) {
        #expect(NetworkAddress(text)?.limitKey == key)
    }

    @Test(
        "Texts that are not an address are not parsed",
        arguments: [
            "", ".", ":", ":::", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.-4", "1.2.3.+4", "01.2.3.4",
            "1.2.3.4 ", "1.2.3.4:80", "[::1]", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::",
            "1:2:3:4:5:6:7::8:9", "::1.2.3", "1.2.3.4::", "g::", "+1::", "localhost", "unknown", "_hidden",
            "１.2.3.4", String(repeating: "0:", count: 1000),
        ])
    func refused(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test("The IPv4 and IPv4-mapped forms of an address are equal, and loopback is recognised in both")
    func spellings() {
        #expect(NetworkAddress("::ffff:127.0.0.9") == NetworkAddress("127.0.0.9"))
        for text in ["127.0.0.1", "127.255.0.3", "::1", "::ffff:127.0.0.1"] {
            #expect(NetworkAddress(text)?.isLoopback == true, "\(text)")
        }
        for text in ["128.0.0.1", "10.0.0.127", "::2", "::127.0.0.1", "2001:db8::1"] {
            #expect(NetworkAddress(text)?.isLoopback == false, "\(text)")
        }
        #expect(NetworkAddress("0.0.0.0")?.isUnspecified == true)
        #expect(NetworkAddress("::")?.isUnspecified == true)
        #expect(NetworkAddress("::1")?.isUnspecified == false)
    }

    @Test(
        "A range contains the addresses with its prefix",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.1.2.3/8", "10.9.9.9", true), ("10.0.0.0/8", "::ffff:10.0.0.1", true),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
            ("127.0.0.1/32", "127.0.0.1", true), ("192.0.2.128/25", "192.0.2.127", false),
            ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("::/0", "8.8.8.8", true), ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false),
            ("2001:db8::/64", "2001:db8::ffff:1", true), ("2001:db8::/64", "2001:db8:0:1::", false),
            ("2001:db8::/65", "2001:db8::8000:0:0:0", false), ("::1", "::1", true), ("::1", "::2", false),
        ])
    func ranges(range: String, address: String, isInside: Bool) throws {
        let range = try #require(AddressRange(range))
        #expect(range.contains(try #require(NetworkAddress(address))) == isInside)
    }

    @Test(
        "Texts that are not a range are not parsed",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "::/129", "x/8", "10/8",
        ])
    func noRange(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
