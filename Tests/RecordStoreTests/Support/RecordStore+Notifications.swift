import RecordStore
import Records

extension RecordStore {
    func notifications(after number: Int64, limit: Int) async throws -> [NumberedNotification] {
        try await notifications(after: number, limit: limit, bytes: .max)
    }

    func notifications(of owner: String, after number: Int64, limit: Int) async throws -> NotificationsPage {
        try await notifications(of: owner, after: number, limit: limit, bytes: .max)
    }
}
