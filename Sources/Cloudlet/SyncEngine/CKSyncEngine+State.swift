extension CKSyncEngine {
    /// The state of an engine: the positions of its fetches, and the changes to send.
    ///
    /// The engine does not save its state. Save the state of each `stateUpdate` event, and pass it to the
    /// configuration of the next engine.
    public final class State: Sendable {
        private let machine: Locked<SyncEngineMachine>

        /// Wakes the engine after a change.
        let signal = WakeSignal(none: ())

        init(_ machine: SyncEngineMachine) {
            self.machine = Locked(machine)
        }

        /// The changes of records to send, oldest first, without those that are being sent.
        public var pendingRecordZoneChanges: [CKSyncEngine.PendingRecordZoneChange] {
            machine.withLock { $0.memory.records }.all
        }

        /// The changes of zones to send, oldest first, without those that are being sent.
        public var pendingDatabaseChanges: [CKSyncEngine.PendingDatabaseChange] {
            machine.withLock { $0.memory.zones }.all
        }

        /// Whether the app has changes to send that it keeps elsewhere. Setting it to true makes the engine
        /// ask for a batch although no change is pending; the engine sets it to false when the delegate
        /// returns no further batch.
        public var hasPendingUntrackedChanges: Bool {
            get { machine.withLock { $0.memory.hasUntrackedChanges } }
            set { change { $0.setUntracked(newValue) } }
        }

        /// The zones that have changed on the server since their records were fetched.
        public var zoneIDsWithUnfetchedServerChanges: [CKRecordZone.ID] {
            machine.withLock { $0.memory.unfetched }.all
        }

        /// Adds changes of records to send. A change that is already pending keeps its place. A deletion
        /// replaces a pending save of the same record, and the other way round.
        public func add(pendingRecordZoneChanges: [CKSyncEngine.PendingRecordZoneChange]) {
            change { $0.add(pendingRecordZoneChanges) }
        }

        /// Removes pending changes of records, so that they are not sent. Changes that are being sent are not
        /// affected.
        public func remove(pendingRecordZoneChanges: [CKSyncEngine.PendingRecordZoneChange]) {
            change { $0.remove(pendingRecordZoneChanges) }
        }

        /// Adds changes of zones to send. A change that is already pending keeps its place. A deletion
        /// replaces a pending save of the same zone, and the other way round.
        public func add(pendingDatabaseChanges: [CKSyncEngine.PendingDatabaseChange]) {
            change { $0.add(pendingDatabaseChanges) }
        }

        /// Removes pending changes of zones, so that they are not sent. Changes that are being sent are not
        /// affected.
        public func remove(pendingDatabaseChanges: [CKSyncEngine.PendingDatabaseChange]) {
            change { $0.remove(pendingDatabaseChanges) }
        }

        /// Changes the machine, and wakes the engine.
        func change(_ body: @Sendable (inout SyncEngineMachine) -> Void) {
            machine.withLock { body(&$0) }
            signal.send()
        }

        /// Reads or changes the machine without waking the engine.
        func withMachine<Value: Sendable>(_ body: @Sendable (inout SyncEngineMachine) -> Value) -> Value {
            machine.withLock { body(&$0) }
        }
    }
}

extension CKSyncEngine.State {
    /// The state of an engine in the form that the app saves. It is opaque, and encoded with a version.
    public struct Serialization: Codable, Sendable {
        private enum CodingKeys: String, CodingKey {
            case version, state
        }

        /// The version that is written. Every version that was ever released can be read.
        private static let version = 1

        let memory: SyncEngineMemory

        init(memory: SyncEngineMemory) {
            self.memory = memory
        }

        /// Writes the version and the state.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Self.version, forKey: .version)
            try container.encode(memory, forKey: .state)
        }

        /// Reads a state that `encode(to:)` wrote.
        ///
        /// - Throws: `DecodingError` if it is damaged, or was written by a newer version of this library.
        ///   Then create the engine without a state: it fetches everything again.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let version = try container.decode(Int.self, forKey: .version)
            guard (1...Self.version).contains(version) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .version, in: container,
                    debugDescription: "The state of the sync engine has version \(version), and this library "
                        + "reads versions up to \(Self.version) - create the engine without a state")
            }
            memory = try container.decode(SyncEngineMemory.self, forKey: .state)
        }
    }
}

extension CKSyncEngine.State.Serialization: CustomStringConvertible {
    /// The number of pending changes, for logs.
    public var description: String {
        "\(memory.records.count) records and \(memory.zones.count) zones pending"
    }
}
