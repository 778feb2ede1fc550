package import Records

extension MemoryDirectory {
    package func addSession(
        hash: [UInt8], _ session: Session, limit: Int
    ) async throws -> EndedSessions {
        try with { state in
            guard state.accounts[session.account] != nil else {
                throw AccountRules.missing(session.account)
            }
            if state.sessions[hash] != nil { throw SessionRules.taken }
            let container = session.place?.container
            let rivals = state.sessions.filter {
                $0.value.session.account == session.account
                    && $0.value.session.place?.container == container
            }
            let uses = rivals.map { hash, entry in
                SessionRules.Use(hash: hash, seen: entry.session.seen, created: entry.created)
            }
            let ended = state.endSessions(SessionRules.surplus(of: uses, limit: limit))
            state.sessions[hash] = (session, session.seen)
            return ended
        }
    }

    package func session(hash: [UInt8]) async throws -> (session: Session, account: Account)? {
        try with { state in
            guard let session = state.sessions[hash]?.session, let account = state.accounts[session.account]
            else { return nil }
            return (session, account)
        }
    }

    package func hasSession(from first: [UInt8], through last: [UInt8]) async throws -> Bool {
        try with { state in
            state.sessions.keys.contains {
                !$0.lexicographicallyPrecedes(first) && !last.lexicographicallyPrecedes($0)
            }
        }
    }

    package func touchSession(hash: [UInt8], at time: Timestamp) async throws {
        try with { state in
            guard let seen = state.sessions[hash]?.session.seen else { return }
            state.sessions[hash]?.session.seen = max(seen, time)
        }
    }

    package func removeSession(hash: [UInt8]) async throws -> EndedSessions {
        try with { state in state.sessions[hash] == nil ? EndedSessions() : state.endSessions([hash]) }
    }

    package func removeSessions(of account: String) async throws -> EndedSessions {
        try with { $0.endSessions(of: account) }
    }

    package func removeOpenSessions() async throws -> EndedSessions {
        try with { $0.endSessions(where: \.isOpen) }
    }

    package func forgetSessions(at time: Timestamp) async throws {
        try with { state in
            state.sessions = state.sessions.filter { !SessionRules.isForgotten($0.value.session, at: time) }
        }
    }
}
