/// Counts of requests, and of the pushes of a container. Two counts can be added without loss.
package struct TelemetryCounts: Hashable, Sendable {
    package var requests: Int64 = 0
    /// Requests that failed as a whole, or in one of their items, with an error that the client must resolve.
    package var clientErrors: Int64 = 0
    /// Requests that failed, as a whole or in one of their items, because of the server.
    package var serverErrors: Int64 = 0
    /// The errors of requests and of their items, by code.
    package var errors: [RecordError.Code: Int64] = [:]
    package var clients: [ClientKind: Int64] = [:]
    /// Microseconds until the answer began. Polls and streams are not measured, because they wait for a push.
    package var latency = Histogram()
    package var requestBytes = Histogram()
    package var responseBytes = Histogram()
    /// Pushes that reached a device or its push service.
    package var pushesSent: Int64 = 0
    /// Pushes that a newer one replaced.
    package var pushesCoalesced: Int64 = 0
    /// Pushes that were discarded or expired.
    package var pushesDropped: Int64 = 0

    package init() {}

    package mutating func merge(_ other: TelemetryCounts) {
        for number in Self.numbers {
            self[keyPath: number] = self[keyPath: number].addingSaturated(other[keyPath: number])
        }
        errors.merge(other.errors) { $0.addingSaturated($1) }
        clients.merge(other.clients) { $0.addingSaturated($1) }
        for histogram in Self.histograms { self[keyPath: histogram].merge(other[keyPath: histogram]) }
    }

    private static var numbers: [WritableKeyPath<TelemetryCounts, Int64>] {
        [
            \.requests, \.clientErrors, \.serverErrors, \.pushesSent, \.pushesCoalesced, \.pushesDropped,
        ]
    }

    private static var histograms: [WritableKeyPath<TelemetryCounts, Histogram>] {
        [\.latency, \.requestBytes, \.responseBytes]
    }
}

extension RecordError.Code {
    /// Whether the server caused the error. The client must resolve all others, for example a conflict, or a
    /// request for an unknown zone.
    package var isOfServer: Bool {
        switch self {
        case .internalError, .tryAgainLater, .zoneBusy, .accountUnavailable: true
        default: false
        }
    }
}

// MARK: - Bytes

extension TelemetryCounts {
    /// The version of the layout, the first number.
    private static let version: Int64 = 1
    /// The largest number of entries in a stored list, and of bytes in an entry's name. There are fewer codes
    /// and kinds, and their names are shorter.
    private static let entryLimit: Int64 = 200

    /// The counts as they are stored: version, numbers, histograms, errors and clients by name.
    package var packed: [UInt8] {
        var bytes = PackedNumbers()
        bytes.append(Self.version)
        for number in Self.numbers { bytes.append(self[keyPath: number]) }
        for histogram in Self.histograms { self[keyPath: histogram].write(to: &bytes) }
        Self.write(errors.map { ($0.key.rawValue, $0.value) }, to: &bytes)
        Self.write(clients.map { ($0.key.rawValue, $0.value) }, to: &bytes)
        return bytes.bytes
    }

    /// Reads stored counts; nil for bytes that `packed` cannot have made. Names of errors and clients that
    /// this version does not know are left out.
    package init?(packed: [UInt8]) {
        var bytes = PackedNumbers(packed)
        guard bytes.next() == Self.version else { return nil }
        for number in Self.numbers {
            guard let value = bytes.next() else { return nil }
            self[keyPath: number] = value
        }
        for histogram in Self.histograms {
            guard let value = Histogram(&bytes) else { return nil }
            self[keyPath: histogram] = value
        }
        guard let errors = Self.list(&bytes), let clients = Self.list(&bytes), bytes.isAtEnd else {
            return nil
        }
        for (name, number) in errors {
            if let code = RecordError.Code(rawValue: name) { self.errors[code] = number }
        }
        for (name, number) in clients {
            if let kind = ClientKind(rawValue: name) { self.clients[kind] = number }
        }
    }

    private static func write(_ list: [(String, Int64)], to bytes: inout PackedNumbers) {
        bytes.append(Int64(list.count))
        for (name, number) in list.sorted(by: { $0.0 < $1.0 }) {
            bytes.append(Int64(name.utf8.count))
            for byte in name.utf8 { bytes.append(Int64(byte)) }
            bytes.append(number)
        }
    }

    private static func list(_ bytes: inout PackedNumbers) -> [(String, Int64)]? {
        guard let count = bytes.next(), count <= entryLimit else { return nil }
        var list: [(String, Int64)] = []
        for _ in 0..<count {
            guard let length = bytes.next(), length <= entryLimit else { return nil }
            var name: [UInt8] = []
            for _ in 0..<length {
                guard let byte = bytes.next(), let byte = UInt8(exactly: byte) else { return nil }
                name.append(byte)
            }
            guard let number = bytes.next() else { return nil }
            list.append((String(decoding: name, as: UTF8.self), number))
        }
        return list
    }
}
