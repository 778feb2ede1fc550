import CloudKit

/// Subscribes the person's devices to the changes of what other people share with the person.
func followSharedRecords(in container: CKContainer) async throws {
    let subscription = CKDatabaseSubscription(subscriptionID: "shared-changes")
    subscription.notificationInfo = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
    try await container.sharedCloudDatabase.save(subscription)
}

/// Whether a push asks the app to fetch the changes of the shared database.
func isAboutSharedRecords(_ push: CKNotification) -> Bool {
    (push as? CKDatabaseNotification)?.databaseScope == .shared
}
