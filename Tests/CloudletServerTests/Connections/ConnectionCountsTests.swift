import CloudService
import Testing

@testable import CloudletServer

@Suite("Connections of one address")
struct ConnectionCountsTests {
    private let alice = ClientNetwork(text: "192.0.2.1") ?? ClientNetwork(nil)
    private let bob = ClientNetwork(text: "192.0.2.2") ?? ClientNetwork(nil)

    @Test("An address cannot exceed its limit; other addresses are not affected")
    func most() {
        var book = ConnectionCounts(most: 3)
        let verdicts = (0..<5).map { _ in book.open(alice) }
        #expect(verdicts == [.fits, .fits, .fits, .refusedAndLogged, .refused])
        #expect(book.open(bob) == .fits)
        book.close(alice, isUnfinished: false)
        #expect(book.open(alice) == .fits)
        #expect(book.open(alice) == .refused)
    }

    @Test("A refusal is logged again only after both counts of the address have halved")
    func logsOnce() {
        var book = ConnectionCounts(most: 8)
        for _ in 0..<5 { _ = book.open(alice) }
        #expect((0..<5).map { _ in book.begin(alice) } == [.fits, .fits, .fits, .fits, .refusedAndLogged])
        for _ in 0..<20 {
            book.close(alice, isUnfinished: false)
            _ = book.open(alice)
            #expect(book.begin(alice) == .refused)
        }
        for _ in 0..<2 { book.end(alice) }
        book.close(alice, isUnfinished: false)
        for _ in 0..<2 { #expect(book.begin(alice) == .fits) }
        #expect(book.begin(alice) == .refusedAndLogged)
    }

    @Test("One address has at most a quarter of all connections, and fewer when few are left")
    func shared() {
        var book = ConnectionCounts(sharing: 80)
        let networks = (1...40).compactMap { ClientNetwork(text: "192.0.2.\($0)") }
        let most = networks.map { network in
            (0..<80).filter { _ in book.open(network) == .fits }.count
        }
        #expect(Array(most.prefix(6)) == [20, 20, 20, 4, 2, 2])
        #expect(most.dropFirst(4).allSatisfy { $0 == 2 })
    }

    @Test("Thirty-two networks that open all the connections they can leave some for another address")
    func manyNetworks() {
        var book = ConnectionCounts(sharing: 4096)
        for number in 0..<32 {
            let network = ClientNetwork(text: "2001:db8:\(String(number, radix: 16))::1") ?? alice
            while book.open(network) == .fits {}
        }
        let other = ClientNetwork(text: "198.51.100.7") ?? alice
        #expect(book.open(other) == .fits)
        #expect(book.connections < 4096)
    }

    @Test("All networks of one IPv6 site have a quarter of the connections together")
    func sites() {
        var book = ConnectionCounts(sharing: 80)
        let networks = (1...40).compactMap { ClientNetwork(text: "2001:db8:1:\($0)::1") }
        let most = networks.map { network in
            (0..<80).filter { _ in book.open(network) == .fits }.count
        }
        #expect(most == [20] + Array(repeating: 0, count: 39))
        #expect(book.networks == 1)
        #expect(book.open(networks[1]) == .refused)
        let elsewhere = ClientNetwork(text: "2001:db8:2:1::1") ?? ClientNetwork(nil)
        #expect(book.open(elsewhere) == .fits)
        book.close(networks[0], isUnfinished: false)
        #expect(book.open(networks[1]) == .fits)
    }

    @Test("At most half of an address's connections may have an incomplete request")
    func unfinished() {
        var book = ConnectionCounts(most: 4)
        for _ in 0..<4 { _ = book.open(alice) }
        #expect((0..<3).map { _ in book.begin(alice) } == [.fits, .fits, .refusedAndLogged])
        book.end(alice)
        #expect(book.begin(alice) == .fits)
        book.close(alice, isUnfinished: true)
        #expect(book.begin(alice) == .fits)
    }

    @Test("An address without connections is forgotten, and each address may have at least one connection")
    func forgotten() {
        var book = ConnectionCounts(most: 0)
        #expect(book.open(alice) == .fits)
        #expect(book.begin(alice) == .fits)
        #expect(book.networks == 1)
        book.close(alice, isUnfinished: true)
        #expect(book.networks == 0)
    }
}
