import CloudKit
import Foundation
import Testing

@Suite("Errors")
struct ErrorTests {
    @Test("An NSError of the domain can be bridged to CKError and back")
    func bridging() {
        let plain: any Error = NSError(domain: CKErrorDomain, code: 14)
        #expect((plain as? CKError)?.code == .serverRecordChanged)
        let made: any Error = CKError(.zoneNotFound)
        #expect((made as NSError).code == 26)
        #expect((made as NSError).domain == CKErrorDomain)
        #expect(((made as NSError) as? CKError)?.code == .zoneNotFound)
        let foreign: any Error = NSError(domain: "other", code: 14)
        #expect(foreign as? CKError == nil)
    }

    @Test("Catch clauses match error codes")
    func catching() {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch CKError.networkFailure {
                return "network"
            } catch let error as CKError where error.code == .quotaExceeded {
                return "quota"
            } catch {
                return "other"
            }
        }
        #expect(caught(CKError(.networkFailure)) == "network")
        #expect(caught(NSError(domain: CKErrorDomain, code: 25)) == "quota")
        #expect(caught(NSError(domain: "other", code: 4)) == "other")
    }

    @Test("The properties of an error read its user info")
    func helpers() {
        let id = CKRecord.ID(recordName: "a")
        let server = CKRecord(recordType: "T", recordID: id)
        let changed = CKError(
            .serverRecordChanged,
            userInfo: [CKRecordChangedErrorServerRecordKey: server, CKErrorRetryAfterKey: 2.5 as NSNumber]
        )
        #expect(changed.serverRecord === server)
        #expect(changed.clientRecord == nil)
        #expect(changed.retryAfterSeconds == 2.5)
        let partial = CKError(
            .partialFailure, userInfo: [CKPartialErrorsByItemIDKey: [id: CKError(.unknownItem)]])
        #expect((partial.partialErrorsByItemID?[id] as? CKError)?.code == .unknownItem)
    }
}
