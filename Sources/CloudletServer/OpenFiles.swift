import Foundation

/// The system's limit of open files for this process.
package enum OpenFiles {
    /// The maximal number of open files.
    package static var limit: Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit as far as the system allows, for programs that serve many clients. The default limit
    /// is low for the sake of programs that use `select`, which supports few files.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }

    /// The number of files that each open database needs, and the number that a server needs in addition to
    /// its databases and connections.
    static let (perDatabase, others) = (8, 128)

    /// The number of databases that may stay open if the process may open `files` files: half of those left
    /// after `others` are for databases.
    package static func databases(of files: Int) -> Int { max((files - others) / 2 / perDatabase, 1) }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
