import Crypto
import Foundation
import RecordStore
import Records

/// Signs the cursors and change tokens that clients keep, and verifies them when they come back.
///
/// A sealed value is the store's bytes followed by 16 bytes of HMAC-SHA256 under a key of the installation.
/// The code also covers the kind of the value, so that a cursor is never accepted as a change token. Equal
/// values get equal seals, at any time and after a restart. A client can read the bytes but cannot forge
/// them.
///
/// Values about another person's database are encrypted instead (`encrypted`, `hidden`), because they reveal
/// how many changes that database has, or values of records that the client may no longer see.
struct TokenSeal: Sendable {
    /// The kind of value that is sealed.
    enum Kind: UInt8 {
        /// A cursor in the result of a query.
        case query = 1
        /// A change token: of a zone, in either direction, or of a database's list of changed zones.
        case changes = 2
        /// A position in a person's notification collection.
        case notifications = 3
        /// A position in the list of a database's zones.
        case zones = 4
        /// A value that is encrypted, such as a cursor in the result of a query in the shared database. Its
        /// code is the nonce.
        case sharedQuery = 5
    }

    /// The inner and outer hash of HMAC (RFC 2104), each after it has processed the key, so that calls need
    /// not repeat that.
    private let inner: SHA256
    private let outer: SHA256
    /// The key of the values that clients must not read.
    private let cipher: SymmetricKey
    /// The secret of the installation from which the keys of `ChangeNumberCipher` are made.
    private let changeNumberKey: SymmetricKey
    /// Makes tokens count as expired, on servers that accept faults.
    private let faults: FaultInjector?

    static let codeLength = 16

    /// - Parameter key: a secret of the installation, from which the sealing key is derived.
    init(key: SymmetricKey, faults: FaultInjector? = nil) {
        self.faults = faults
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("places in results and feeds".utf8), outputByteCount: 32)
        inner = Self.hash(takingIn: derived, under: 0x36)
        outer = Self.hash(takingIn: derived, under: 0x5c)
        cipher = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("hidden places in results".utf8), outputByteCount: 32)
        changeNumberKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("numbers of changes".utf8), outputByteCount: 32)
    }

    /// Hides the numbers of a database's changes from guests.
    func changeNumberCipher(of database: DatabaseKey) -> ChangeNumberCipher {
        ChangeNumberCipher(key: changeNumberKey, database: database)
    }

    /// The bytes followed by their authentication code.
    func sealed(_ bytes: [UInt8], _ kind: Kind) -> [UInt8] {
        var sealed = bytes
        sealed.reserveCapacity(bytes.count + Self.codeLength)
        code(of: bytes, kind).withUnsafeBytes { sealed.append(contentsOf: $0.prefix(Self.codeLength)) }
        return sealed
    }

    /// The bytes without their code; nil unless this installation sealed them as that kind.
    func opened(_ bytes: [UInt8], _ kind: Kind) -> [UInt8]? {
        guard bytes.count >= Self.codeLength else { return nil }
        let inner = Array(bytes.dropLast(Self.codeLength))
        let isGenuine = code(of: inner, kind).withUnsafeBytes { code in
            // Takes the same time wherever the first wrong byte is.
            zip(code, bytes.suffix(Self.codeLength)).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }
        return isGenuine ? inner : nil
    }

    /// Encrypts a value for a holder: a text that names the person and the use. Only the same holder can
    /// decrypt it. The nonce is 96 bits of an authentication code of both, so that equal values get equal
    /// results, and different values practically never get the same nonce.
    func encrypted(_ bytes: [UInt8], for holder: [UInt8]) throws -> [UInt8] {
        let nonce = code(of: holder + [0] + bytes, .sharedQuery).withUnsafeBytes { Array($0.prefix(12)) }
        let box = try AES.GCM.seal(
            bytes, using: cipher, nonce: AES.GCM.Nonce(data: nonce), authenticating: holder)
        return nonce + Array(box.ciphertext) + Array(box.tag)
    }

    /// Decrypts a value; nil unless this installation encrypted it for the holder.
    func decrypted(_ bytes: [UInt8], for holder: [UInt8]) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: bytes),
            let plain = try? AES.GCM.open(box, using: cipher, authenticating: holder)
        else { return nil }
        return Array(plain)
    }

    private static func hash(takingIn key: SymmetricKey, under pad: UInt8) -> SHA256 {
        var block = key.withUnsafeBytes { key in key.map { $0 ^ pad } }
        block += repeatElement(pad, count: SHA256.blockByteCount - block.count)
        var hash = SHA256()
        hash.update(data: block)
        return hash
    }

    /// HMAC-SHA256 of the bytes and their kind.
    private func code(of bytes: [UInt8], _ kind: Kind) -> SHA256.Digest {
        var (inner, outer) = (inner, outer)
        bytes.withUnsafeBytes { inner.update(bufferPointer: $0) }
        withUnsafeBytes(of: kind.rawValue) { inner.update(bufferPointer: $0) }
        inner.finalize().withUnsafeBytes { outer.update(bufferPointer: $0) }
        return outer.finalize()
    }
}

// MARK: - Change tokens

extension TokenSeal {
    func sealed(_ token: ChangeToken) -> ChangeToken {
        ChangeToken(bytes: sealed(token.bytes, .changes))
    }

    func sealed(_ zone: Zone) -> Zone {
        Zone(id: zone.id, isAtomic: zone.isAtomic, syncToken: zone.syncToken.map { sealed($0) })
    }

    /// Encrypts a sealed token of a shared feed for the person who reads the feed, because the numbers in it
    /// count changes that the person may not see.
    func hidden(_ token: ChangeToken, from person: String) throws -> ChangeToken {
        ChangeToken(bytes: [Self.hiddenMark] + (try encrypted(token.bytes, for: Self.holder(person))))
    }

    func hidden(_ zone: Zone, from person: String) throws -> Zone {
        let token = try zone.syncToken.map { try hidden($0, from: person) }
        return Zone(id: zone.id, isAtomic: zone.isAtomic, syncToken: token)
    }

    /// Decrypts a token that `hidden` encrypted for the person. Returns other tokens unchanged, such as those
    /// of earlier versions.
    ///
    /// Throws `changeTokenExpired` for a token that was encrypted for another person, or by another
    /// installation.
    func revealed(
        _ token: ChangeToken?, to person: String, culprit: String
    ) throws(RecordError) -> ChangeToken? {
        guard let token, token.bytes.first == Self.hiddenMark else { return token }
        guard let bytes = decrypted(Array(token.bytes.dropFirst()), for: Self.holder(person)) else {
            throw RecordError.changeTokenExpired(culprit)
        }
        return ChangeToken(bytes: bytes)
    }

    /// No other token begins with this byte.
    private static let hiddenMark: UInt8 = 0x68

    /// The additional data with which change tokens are encrypted. It distinguishes them from other encrypted
    /// values for the person.
    private static func holder(_ person: String) -> [UInt8] { Array("changes/\(person)".utf8) }

    /// The bytes of a token without their code; nil unless this installation sealed them as that kind.
    func opened(_ token: ChangeToken, _ kind: Kind) throws(RecordError) -> [UInt8]? {
        try faults?.expireToken()
        return opened(token.bytes, kind)
    }

    /// Verifies a change token of a guest, or of the owner of the zone, and returns it as the stores know it.
    /// Throws as the other form does.
    func opened(
        _ token: ChangeToken?, of guest: Guest?, culprit: String
    ) throws(RecordError) -> ChangeToken? {
        guard let guest else { return try opened(token, culprit: culprit) }
        return try opened(try revealed(token, to: guest.person, culprit: culprit), culprit: culprit)
    }

    /// Verifies a change token and returns it as the stores know it.
    ///
    /// Throws `changeTokenExpired` for a token that has the right form but no valid code, such as one of an
    /// earlier version or another installation; its client then fetches everything again. Throws
    /// `badRequest`, worded as CloudKit words it, for every other text.
    ///
    /// - Parameter culprit: the name of the zone or other source of the changes, for the error.
    func opened(_ token: ChangeToken?, culprit: String) throws(RecordError) -> ChangeToken? {
        guard let token else { return nil }
        if let bytes = try opened(token, .changes) { return ChangeToken(bytes: bytes) }
        let inner = ChangeToken(bytes: token.bytes.dropLast(Self.codeLength))
        if (try? FeedPosition(inner)) == nil { _ = try FeedPosition(token) }
        throw RecordError.changeTokenExpired(culprit)
    }
}
