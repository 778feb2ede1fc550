import Directory
import Records
import Testing

@Suite("Directory contract: linked addresses")
struct LinkedAddressTests {
    private static let email = ContactAddress.email("b@example.org")
    private static let phone = ContactAddress.phone("+4912345")

    @Test(
        "A linked address belongs to one account until the account is removed",
        arguments: DirectoryKind.allCases)
    func link(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addPerson("anna")
            try await directory.addPerson("bert")
            for _ in 0..<2 { try await directory.link(Self.email, to: "#anna") }
            await expect(.exists) { try await directory.link(Self.email, to: "#bert") }
            #expect(try await directory.linkedAddresses(of: "#anna") == [Self.email])
            #expect(try await directory.linkedAddresses(of: "#bert") == [])
        }
    }

    @Test("The linked addresses of an account are sorted by their text", arguments: DirectoryKind.allCases)
    func order(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addPerson("anna", email: "a@example.org")
            let other = ContactAddress.email("c@example.org")
            for address in [Self.phone, other, Self.email] {
                try await directory.link(address, to: "#anna")
            }
            #expect(try await directory.linkedAddresses(of: "#anna") == [Self.email, other, Self.phone])
        }
    }

    @Test("Linking another account's address fails with `exists`", arguments: DirectoryKind.allCases)
    func refused(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addPerson("anna", email: "b@example.org", phone: "+4912345")
            try await directory.addPerson("bert")
            try await directory.addPerson("c@example.org")
            for address in [Self.email, Self.phone, .email("c@example.org")] {
                await expect(.exists) { try await directory.link(address, to: "#bert") }
            }
            // An account's own e-mail address can be linked to it.
            try await directory.link(Self.email, to: "#anna")
            #expect(try await directory.linkedAddresses(of: "#bert") == [])
        }
    }

    @Test("Linking an address to a missing account fails with `notFound`", arguments: DirectoryKind.allCases)
    func missing(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            await expect(.notFound) { try await directory.link(Self.phone, to: "#nobody") }
            let linked = try await directory.linkedAddresses(of: "#nobody")
            #expect(linked == [])
        }
    }

    @Test(
        "No other account can get a linked address as name, e-mail address or phone number",
        arguments: DirectoryKind.allCases)
    func unique(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addPerson("anna")
            for address in [Self.email, Self.phone] { try await directory.link(address, to: "#anna") }
            let before = try await directory.state()
            for (name, email, phone) in [
                ("B@example.org", nil, nil), ("+4912345", nil, nil), ("x", "b@example.org", nil),
                ("x", nil, "+4912345"),
            ] as [(String, String?, String?)] {
                let new = Account(id: "#new", name: name, email: email, phone: phone)
                await expect(.exists) { try await directory.add(new, password: nil) }
            }
            #expect(try await directory.state() == before)
            let own = Account(id: "#anna", name: "anna", email: "b@example.org")
            try await directory.change(own, hashes: ContactHashes())
        }
    }

    @Test("Removing an account removes its linked addresses", arguments: DirectoryKind.allCases)
    func removed(kind: DirectoryKind) async throws {
        try await withDirectory(kind) { directory in
            try await directory.addPerson("anna")
            try await directory.addPerson("bert")
            try await directory.link(Self.email, to: "#anna")
            _ = try await directory.removeAccount("#anna")
            #expect(try await directory.linkedAddresses(of: "#anna") == [])
            try await directory.link(Self.email, to: "#bert")
            #expect(try await directory.linkedAddresses(of: "#bert") == [Self.email])
        }
    }
}
