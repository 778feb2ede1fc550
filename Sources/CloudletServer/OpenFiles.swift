import Foundation

/// The limit of the system for this process.
package enum OpenFiles {
    /// How many there may be.
    package static var limit: Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit as far as the system lets it, for programs that serve many; what is usual is meant
    /// for programs that wait for a few files in old ways.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }

    /// What a database takes while it is open, and what a server takes beside databases and connections.
    static let (perDatabase, others) = (8, 128)

    /// How many databases may stay open, with half of so many files.
    package static func databases(of files: Int) -> Int { max((files - others) / 2 / perDatabase, 1) }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
