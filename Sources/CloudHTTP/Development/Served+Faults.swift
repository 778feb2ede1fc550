import CloudService
import Records
import RecordsWire

extension ListFaults: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let catalogue = FaultKind.allCases.map { kind in
            FaultsReport.Kind(
                name: kind.rawValue, summary: kind.summary, endpoints: kind.endpoints?.sorted(),
                seconds: kind.defaultSeconds)
        }
        return FaultsReport(catalogue: catalogue, faults: try incoming.service.settableFaults().report)
    }
}

extension ChangeFaults: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let faults = try incoming.service.settableFaults()
        if clearsAll { faults.clear() }
        if let removal, !faults.remove(removal) {
            throw RecordError(
                .notFound, "there is no such fault", culprit: "\(removal)",
                nextStep: "look at the faults in force with GET /dev/faults"
            )
        }
        if let addition { _ = faults.add(try Fault(addition)) }
        return FaultsReport(faults: faults.report)
    }
}

extension FaultInjector {
    fileprivate var report: [FaultsReport.Entry] {
        entries.map { entry in
            FaultsReport.Entry(
                id: entry.id, name: entry.fault.kind.rawValue, endpoint: entry.fault.endpoint,
                device: entry.fault.device, first: entry.fault.first, count: entry.fault.count,
                seconds: entry.fault.seconds, matchingCalls: entry.matchingCalls,
                affectedCalls: entry.affectedCalls)
        }
    }
}

extension Fault {
    /// Makes the requested fault. Throws `badRequest` for an unknown kind or endpoint, and for a number out
    /// of range.
    fileprivate init(_ addition: ChangeFaults.Addition) throws(RecordError) {
        guard let kind = FaultKind(rawValue: addition.name) else {
            throw RecordError(
                .badRequest, "there is no fault with this name", culprit: addition.name,
                nextStep: "use \(FaultKind.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        if let endpoint = addition.endpoint, !Self.endpoints.contains(endpoint) {
            throw RecordError(
                .badRequest, "there is no such endpoint", culprit: endpoint,
                nextStep: "use one such as records/modify, upload or download"
            )
        }
        self.init(
            kind, endpoint: addition.endpoint, device: addition.device,
            first: try Self.checked(addition.first, "first", 1...1_000_000) ?? 1,
            count: try Self.checked(addition.count, "count", 1...1_000_000),
            seconds: try Self.checked(addition.seconds, "seconds", 0...86_400)
        )
    }

    private static let endpoints = Set(Endpoint.allCases.map(\.rawValue))
        .union([FaultCall.upload, FaultCall.download, FaultCall.push])

    private static func checked(
        _ number: Int?, _ name: String, _ range: ClosedRange<Int>
    ) throws(RecordError) -> Int? {
        guard let number else { return nil }
        if range.contains(number) { return number }
        throw RecordError(
            .badRequest, "\(name) must be \(range.lowerBound) to \(range.upperBound)", culprit: "\(number)",
            nextStep: "choose another number, or leave it out"
        )
    }
}
