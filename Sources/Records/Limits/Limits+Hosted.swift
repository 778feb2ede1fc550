extension Limits {
    /// The limits of a public server: the defaults, with request rates and a quota that normal use does not
    /// reach. A person may send 40 requests a second on average, and 4,000 in a burst. The same rate holds
    /// for all anonymous users of an app at one network address together.
    public static var hosted: Limits {
        var limits = Limits()
        limits.personRate = RequestRate(requests: 4000, seconds: 100)
        limits.addressRate = RequestRate(requests: 4000, seconds: 100)
        limits.appRate = RequestRate(requests: 40_000, seconds: 100)
        limits.containerRate = RequestRate(requests: 400_000, seconds: 100)
        limits.connections = 4096
        limits.quota = QuotaRules()
        return limits
    }
}
