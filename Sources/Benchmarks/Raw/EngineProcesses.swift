/// The processes of a PostgreSQL on this machine that serve the connections to its database.
struct EngineProcesses {
    private let connection: RawConnection

    init(_ address: String) throws {
        connection = try RawConnection(address)
    }

    /// The processor time of each process so far in seconds, by its number.
    ///
    /// - Throws: `RowSkipped` if the processes run on another machine.
    func seconds() throws -> [Int32: Double] {
        let numbers = try connection.texts(
            """
            SELECT pid::text
            FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend'
                AND pid <> pg_backend_pid()
            """)
        var seconds: [Int32: Double] = [:]
        for number in numbers.compactMap({ Int32($0) }) {
            seconds[number] = ProcessorTime.seconds(of: number, named: "postgres")
        }
        if seconds.isEmpty, !numbers.isEmpty {
            throw RowSkipped("the processor time of PostgreSQL is unknown here; it must run on this machine")
        }
        return seconds
    }

    /// The processor time since an earlier reading. That of processes that have ended meanwhile is missing.
    func seconds(since earlier: [Int32: Double]) throws -> Double {
        try seconds().reduce(0) { sum, process in sum + process.value - (earlier[process.key] ?? 0) }
    }
}
