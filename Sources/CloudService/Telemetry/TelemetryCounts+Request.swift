import Records

extension TelemetryCounts {
    /// Counts a request.
    mutating func add(_ request: AnsweredRequest) {
        requests += 1
        if let code = request.error { errors[code, default: 0] += 1 }
        for (code, number) in request.itemErrors { errors[code, default: 0] += Int64(number) }
        if request.hasClientError { clientErrors += 1 }
        if request.hasServerError { serverErrors += 1 }
        clients[request.client, default: 0] += 1
        if request.latencyClass == .ordinary { latency.add(request.duration.wholeMicroseconds) }
        requestBytes.add(Int64(request.requestBytes))
        if let bytes = request.responseBytes { responseBytes.add(Int64(bytes)) }
    }
}

extension Duration {
    /// Microseconds, rounded down and clamped to the range of `Int64`.
    fileprivate var wholeMicroseconds: Int64 {
        components.seconds.multipliedSaturated(by: 1_000_000)
            .addingSaturated(components.attoseconds / 1_000_000_000_000)
    }
}
