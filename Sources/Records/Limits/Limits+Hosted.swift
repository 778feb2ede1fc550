extension Limits {
    /// The limits of a server that strangers use: those of `init()`, with rates and a quota that ordinary use
    /// does not reach and abuse does. A person has 40 requests a second, as the real service is said to
    /// allow, and 4,000 at once.
    public static var hosted: Limits {
        var limits = Limits()
        limits.personRate = RequestRate(requests: 4000, seconds: 100)
        limits.appRate = RequestRate(requests: 40_000, seconds: 100)
        limits.containerRate = RequestRate(requests: 400_000, seconds: 100)
        limits.connections = 4096
        limits.quota = QuotaRules()
        return limits
    }
}
