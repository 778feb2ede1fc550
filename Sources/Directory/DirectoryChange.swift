package import Records

/// A change that another process made to the same directory, for those who cache its content.
package enum DirectoryChange: Hashable, Sendable {
    /// Changes may have been missed, so nothing that was read before is certain.
    case missed
    /// Accounts were changed or removed.
    case people
    /// Sessions were ended; they are given by the hashes of their tokens.
    case sessionsEnded([[UInt8]])
    /// A device was registered, registered anew, or removed.
    case device(String, ContainerKey)
    /// A key was added, or tokens or keys were revoked.
    case credentials
    /// A container was removed with all its data.
    case containerRemoved(String)
    /// The schemas of a container, or the members of its roles, were changed.
    case schema(String)
}

extension EndedSessions {
    /// What to tell those who cache the sessions and devices. A list is short enough for a message.
    package var changes: [DirectoryChange] {
        let lists = stride(from: 0, to: hashes.count, by: 50).map { start in
            DirectoryChange.sessionsEnded(Array(hashes[start..<min(start + 50, hashes.count)]))
        }
        return lists + devices.map { .device($0.text, $0.containerKey) }
    }
}

extension Directory {
    /// Nothing: only one process uses the directory.
    package var changes: AsyncStream<DirectoryChange> { AsyncStream { $0.finish() } }

    /// nil: no change of another process can be missed.
    package var obstacle: RecordError? { nil }
}
