// Owns the limits on subscriptions and pushes as the user of a server sets them.

import Records

extension ServerLimits {
    /// What subscriptions, devices and pushes may take up.
    public struct Pushes: Hashable, Sendable {
        /// Subscriptions of one person in one database, and in one request: 200.
        public var subscriptions: Int
        /// Fields whose values a push carries: 3.
        public var fields: Int
        /// UTF-16 units of a text that comes from a record: 100.
        public var textCharacters: Int
        /// Bytes of a push as it is sent: 4096, as Apple's push service takes.
        public var bytes: Int
        /// Devices of one person in a container: 100. The oldest is forgotten for one more.
        public var devicesPerPerson: Int
        /// Pushes that wait for one device that is taking them: 100.
        public var queue: Int
        /// Seconds for which the push for a device that is away is kept: 30 days.
        public var seconds: Int
        /// Seconds after its last poll in which a device counts as there: a minute.
        public var presenceSeconds: Int
        /// Seconds for which a poll is held open while nothing comes: 25.
        public var pollSeconds: Int
        /// Entries of the trace of pushes: 2,000.
        public var trace: Int
        /// Seconds for which the notification collection keeps a push: 90 days.
        public var notificationSeconds: Int
        /// Notifications that a person has not read, in one database: 1,000. For one more, the oldest tenth
        /// is forgotten.
        public var notificationsPerPerson: Int

        /// The limits that a server has unless it is told others.
        public init() {
            let limits = Limits()
            subscriptions = limits.subscriptions
            fields = limits.pushFields
            textCharacters = limits.pushTextCharacters
            bytes = limits.pushBytes
            devicesPerPerson = limits.devicesPerPerson
            queue = limits.pushQueue
            seconds = limits.pushLifetime
            presenceSeconds = limits.pushPresence
            pollSeconds = limits.pushPoll
            trace = limits.pushTrace
            notificationSeconds = limits.notificationLifetime
            notificationsPerPerson = limits.notificationsPerPerson
        }

        func put(into limits: inout Limits) {
            limits.subscriptions = subscriptions
            limits.pushFields = fields
            limits.pushTextCharacters = textCharacters
            limits.pushBytes = bytes
            limits.devicesPerPerson = devicesPerPerson
            limits.pushQueue = queue
            limits.pushLifetime = seconds
            limits.pushPresence = presenceSeconds
            limits.pushPoll = pollSeconds
            limits.pushTrace = trace
            limits.notificationLifetime = notificationSeconds
            limits.notificationsPerPerson = notificationsPerPerson
        }
    }
}
