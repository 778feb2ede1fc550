import RecordStore
import Records

extension RecordService {
    /// Gives the shares of a draft short GUIDs, and their new participants ids. Only records in custom zones
    /// of the caller's own private database can have a short GUID.
    func prepareShares(of draft: inout ModifyDraft, in database: OpenDatabase, for guest: Guest?) {
        let owner = guest == nil && draft.zone != ZoneID.defaultName ? database.key.owner : nil
        let runtime = context.runtime
        draft.prepareShares {
            owner.flatMap { ShortGUID.make(owner: $0, random: runtime.randomBytes) }
        } makeID: {
            runtime.randomUUID()
        }
    }
}
