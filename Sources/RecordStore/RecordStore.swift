package import Records

/// One database: records in zones, kept with their bytes as given, changed in transactions, asked by index.
///
/// What follows is promised by every store and checked by the contract suite, sentence by sentence.
///
/// Saving:
/// - A created record is fetched with the fields, the type and the stamp it was saved with.
/// - Every type of field comes back as it was given, and in the same bytes.
/// - `records` answers in the order asked, nil for what is not there.
/// - Records that are asked for together are read together, and a token with them.
/// - A record's change tag is the number of its last change, and each change has the next number.
/// - A created record keeps its creation stamp and its place in the order of creation for life.
/// - A database's time never runs backwards: a stamp earlier than the last one is raised to it.
/// - An update merges the fields that are given and leaves the others.
/// - A replacement drops the fields that are not given.
/// - A field is removed when it is named for removal, and cannot be found any more.
/// - An update compares the change tag: a stale one is a conflict that carries the server's record.
/// - A forced operation ignores the change tag.
/// - An update or replacement without a change tag is refused.
/// - A deletion compares the change tag only if it has one.
/// - Creating over a name that exists is refused without the server's record.
/// - What is missing is not found, but for forced operations: they create it, or are content.
/// - A forced save that brings a change tag has seen the record, and does not bring it back.
/// - A record cannot be created without a type, nor change the one it has.
/// - A record of the largest size is saved, and one byte more is refused.
/// - A name that was deleted can be used again, as a new record.
/// - A name that was deleted can be used again by a record with a parent and a validating reference.
/// - Whoever may not do something is told so, and nothing changes.
/// - Writing to a zone that is not there, or reading from it, is refused.
///
/// Batches:
/// - A batch gives one result for each operation, in the order given.
/// - An atomic batch with one bad operation changes nothing; every bad operation gets its own error and
///   every other one `atomicFailure`.
/// - An atomic batch in which all is well is applied as a whole.
/// - A batch that is not atomic applies what it can.
/// - An operation that fails takes no number of the sequence.
/// - A batch is sorted so that no record is written before the records it refers to.
/// - A batch is sorted along parents too.
/// - A circle of delete-self references is saved in the order given.
/// - A record and those that hold on to it can be deleted in one batch, in any order.
/// - A deletion waits for the update of its batch that lets go of the record.
/// - A deletion fails with the failing update that was to let go of the record.
/// - The records that one batch saves, and those that conflicts carry, have no more bytes than a request
///   may.
/// - An empty batch changes nothing.
/// - An undone batch leaves no trace, not even of types and fields that it brought.
///
/// References:
/// - Deleting a record deletes what refers to it with delete-self, and so on down, in the same transaction.
/// - A cascade goes as deep as the tree.
/// - A cascade goes as wide as the tree.
/// - A batch takes a bounded number of records along; a deletion that would take more is refused as a whole.
/// - A cascade ends when references run in a circle.
/// - A record with several delete-self targets goes with the first, each record once.
/// - A reference that was changed or removed takes nothing along any more.
/// - References may dangle, also with delete-self; what comes into being later binds.
/// - The target of a validating or parent reference must exist when it is saved.
/// - A record cannot be deleted while another validates it, or has it for its parent.
/// - A cascade that would leave a validating or parent reference dangling is refused as a whole.
/// - A child that goes with its parent does not hold it.
/// - A target takes so many delete-self references and no more.
/// - A reference of somebody who may not write its target holds nothing, and counts for no limit of the
///   target.
/// - A stranger's record goes with its delete-self target unless something holds it, so many in one batch.
/// - A reference with an action cannot leave its zone; one without may.
/// - A cascade stays in its zone.
/// - Saving a child gives its parent a new change tag, unless the batch changes the parent itself.
/// - A parent that the saver may not change keeps its change tag.
/// - A parent is kept by updates, and set, changed or removed when asked.
///
/// Zones:
/// - Every database has the default zone, which is not atomic and has no token.
/// - Zones are listed by name after the default zone; custom zones are atomic and have a token.
/// - Zones are listed page by page, and looked up by name in the order asked.
/// - A database has so many custom zones and no more.
/// - Creating a zone that exists returns it as it is.
/// - A zone's token stands for its last change.
/// - The same name in two zones is two records.
/// - Deleting a zone deletes all its records and index entries, and nothing of other zones.
/// - A zone that is created again is another zone: tokens of the old one are expired.
/// - The default zone cannot be deleted.
/// - A purge or reset empties the default zone, and leaves it there.
/// - Whoever wants a zone that was purged or reset is told so, until it is made again or that is forgotten.
///
/// Conditions:
/// - Every comparator finds what it should on every type of field.
/// - Every comparator of lists finds what it should on every type of element.
/// - System fields, times and names can be asked for like fields.
/// - Times are told apart exactly, among thousands of changes and in any zone.
/// - A record without a field matches no condition on that field, not even a negative one.
/// - All conditions of a query must hold.
/// - A text is compared by its bytes: two spellings of one letter are two texts.
/// - References are equal when they point at the same record of the same zone.
/// - Long lists of values are as good as short ones.
///
/// Order:
/// - Without a sort, records come in the order of their creation.
/// - A sort orders by value in both directions, missing values first when ascending and last when
///   descending.
/// - Several sort keys apply one after the other, each in its direction.
/// - System fields order records too.
/// - A query answers in a total order; its cursor goes on exactly after the last record, whatever was
///   written in between, and means the same after a restart.
/// - A page holds as many records as asked, and the last page has no cursor.
/// - A page ends with the record that brings it to the bytes that it may have.
/// - A query in all zones finds the records of each, in one order.
///
/// Places:
/// - NEAR finds the places inside the circle, and those on it.
/// - NEAR looks across the antimeridian.
/// - NEAR looks across the poles.
/// - An order by distance begins with the nearest, and ends with records without a place.
/// - A descending order by distance begins with the farthest, and still ends with records without a place.
/// - Distance orders what a circle and other conditions leave.
/// - A place that moved is found where it is, not where it was.
///
/// Words:
/// - A search finds words whatever their case, diacritics and punctuation.
/// - A search for all words wants each, one for any words wants one.
/// - A search without a field looks at every searchable text, together.
/// - Words of every script can be searched.
/// - A text that changed is found by its new words only.
/// - A search of thousands of words is answered.
/// - A record of a hundred texts is searched in all of them.
///
/// Changes:
/// - A feed lists each changed record once, in its latest state, oldest change first, deletions included.
/// - A token leads to exactly what changed since.
/// - A token that comes with an answer is as old as the answer: whatever the answer lacks follows it.
/// - Pages follow one another, whatever is written in between; nothing is missed.
/// - A page of changes ends with the one that brings it to the bytes that it may have.
/// - A reversed feed runs to the first change and is then at its end.
/// - A token of another direction or feed, a cut one and garbage are refused.
/// - A token of another database or zone is expired.
/// - The feed of zones lists each custom zone once, changed or gone, oldest change first.
/// - A deletion is told until it is forgotten; a token that has not seen a forgotten one is expired.
/// - A database keeps a bounded number of deletions, or as many as it has records: the oldest are forgotten.
/// - A database keeps as many deletions of zones as it may have zones: the oldest are forgotten.
/// - A first pass through a feed outlives deletions forgotten before it began, and no later ones.
/// - The deletion of a zone is forgotten like that of a record.
///
/// Batches of devices:
/// - A device is told the name of its last batch in a zone, and which records of it were not changed.
/// - What is undone, and what changes nothing, leaves the name of the last batch.
/// - A batch that is sent again under its name has done what either attempt did.
/// - A zone remembers so many devices of a person; for one more, the one that wrote longest ago goes.
/// - A database remembers a bounded number of batches of all zones; for one more, the oldest goes.
/// - A zone that is created again remembers no batch.
/// - The name of a batch is on disk with what the batch did.
///
/// Files:
/// - Files that no record refers to any more are listed as released until they are said to be collected.
/// - An update that keeps a file does not release it.
/// - A cascade releases the files of all that goes.
/// - Deleting a zone releases the files that only its records referred to.
/// - A person has the files that records which the person created refer to, and no others.
///
/// Usage:
/// - What records take up is counted: their names and fields, and their files, each once for each record.
/// - A quota refuses what would go beyond it, operation by operation, and never what frees room.
/// - A file that a record has already is as large as it was, whatever an operation says.
/// - Deleting a zone gives back all that its records took up.
///
/// Pushes:
/// - A subscription that is created comes back as it was given, and one of the same ID stays as it is.
/// - An update replaces a subscription; what is not there is neither changed nor deleted.
/// - A person has one query subscription for each record type and set of events.
/// - A person has so many subscriptions and no more.
/// - A query subscription fires for what matches after a save, and for what matched before a deletion.
/// - A subscription looks at every condition that a query can have.
/// - A subscription that fires once ends with its first push.
/// - A subscription to a zone fires once for each commit that changes it.
/// - A subscription to a database fires for every custom zone, made and deleted ones included.
/// - Who may not hear of a record is not told.
/// - What is undone is not told.
/// - A push carries what its subscription asks for, short texts and nothing secret.
/// - The pushes of several subscriptions about one change share its identifier.
/// - The notification collection of a person is read in the order of its making, page by page.
/// - A notification that is read goes from the collection, which then tells of that once.
/// - Old notifications are forgotten, and whoever has not seen them is told so.
/// - A person has so many unread notifications; of one more, the oldest tenth is forgotten.
/// - A person has so many bytes of unread notifications; of more, the oldest are forgotten.
/// - A page of notifications ends after so many bytes.
/// - The latest unread notification of a person stands for those that did not arrive.
/// - What a person subscribed to and was told goes with the person, and nothing of others.
///
/// Lasting:
/// - A commit is applied in one transaction; when it returns, its changes are on disk.
/// - An index that a field gets when records exist is filled before it is asked.
/// - An index that a field gets beside another is filled too.
/// - An index that the schema gives up is dropped, and made again when it comes back.
/// - Types of many fields are prepared bit by bit, and records of them are saved and found.
/// - Encrypted fields are kept, and never indexed.
/// - Writes that arrive together are all answered, each on its own merits.
///
/// All methods throw `RecordError`.
package protocol RecordStore: Sendable {
    /// Applies the operations of a batch to one zone.
    func apply(_ batch: WriteBatch) async throws -> BatchAnswer

    /// Reads the records of those names in a zone, all as of one moment. `take` gets each in the order asked,
    /// nil for a missing one, and ends the read by throwing.
    ///
    /// - Returns: the zone's token as of that moment if `wantsToken`; nil for the default zone.
    /// - Throws: `zoneNotFound`, and the errors of `take`.
    func lookup(
        _ names: [String], in zone: String, wantsToken: Bool, take: (StoredRecord?) throws -> Void
    ) async throws -> ChangeToken?

    /// A page of the records that a plan asks for, with the zone's token as of the same moment if the plan
    /// wants it. Throws `zoneNotFound`.
    func query(_ plan: QueryPlan) async throws -> QueryPage

    /// Zones, the default zone first, the others by name: those after a name, at most `limit`; nil begins
    /// with the default zone.
    func zones(after name: String?, limit: Int) async throws -> [Zone]

    /// The zones of those names, in the order asked, nil for what is not there.
    func zones(named names: [String]) async throws -> [Zone?]

    /// Creates a zone; one that exists is returned as it is. Throws `limitExceeded` when there are as many
    /// custom zones as `most` already.
    func createZone(named name: String, by stamp: Stamp, atMost most: Int) async throws -> Zone

    /// Deletes a zone with all its records, for a reason that its followers are told; the default zone is
    /// emptied. Throws `zoneNotFound`.
    func deleteZone(named name: String, reason: ZoneDeletionReason, by stamp: Stamp) async throws

    /// A page of the custom zones that changed or went since a token. Throws as `changes` does.
    func zoneChanges(since token: ChangeToken?, limit: Int) async throws -> ZoneChangesPage

    /// Forgets deletions that are older than a time: tokens that have not seen them are refused from then on.
    func forgetDeletions(before time: Timestamp) async throws

    /// A page of a zone's changes. Throws `zoneNotFound`, and `badRequest` or `changeTokenExpired` for the
    /// token.
    func changes(_ request: ChangesRequest) async throws -> ChangesPage

    /// Makes room for records of these types, with all their indexes, a bit at a time: other writes go on in
    /// between. A commit does the same for what it needs.
    func prepare(_ types: [TypeSchema]) async throws

    /// Drops the indexes that a schema does not have, of its types and of those that it lost. Values stay.
    func dropIndexes(notIn schema: Schema) async throws

    /// Whether a record refers to the file of this checksum.
    func usesAsset(_ fileChecksum: String) async throws -> Bool

    /// Those of the checksums of files to which a record that this person created refers.
    ///
    /// Each costs as much as all records that refer to the file, so they are asked together, each once.
    func assets(of fileChecksums: Set<String>, createdBy person: String) async throws -> Set<String>

    /// Checksums of files that lost an owner and may have none, at most `limit`.
    func releasedAssets(limit: Int) async throws -> [String]

    /// Forgets that these files were released, as far as records own them, or own them not, as is said here:
    /// what has changed since somebody looked is told once more.
    func forgetReleasedAssets(_ fileChecksums: [String], thatAreOwned: Bool) async throws

    /// What the records of all zones take up, as of the last commit.
    func usage() async throws -> StoreUsage

    // MARK: Pushes

    /// Whether anybody subscribes to anything.
    var hasSubscriptions: Bool { get }

    /// A person's subscriptions in the order of their making.
    func subscriptions(of owner: String) async throws -> [Subscription]

    /// Creates, replaces and deletes a person's subscriptions, each on its own; one result for each.
    func modifySubscriptions(
        _ operations: [SubscriptionOperation], of owner: String, limits: Limits
    ) async throws -> [SubscriptionResult]

    /// The number of the last notification that was made; 0 when there was none.
    var lastNotification: Int64 { get }

    /// Notifications of all people after a number, in order, at most `limit`; they end with the one that
    /// makes them as many bytes as `bytes`.
    func notifications(
        after number: Int64, limit: Int, bytes: Int
    ) async throws -> [NumberedNotification]

    /// A page of a person's notifications that are not read, and of what tells that others were: at most
    /// `limit`, and it ends with the one that makes it as many bytes as `bytes`. Throws `changeTokenExpired`
    /// when one that was forgotten would belong to it.
    func notifications(
        of owner: String, after number: Int64, limit: Int, bytes: Int
    ) async throws -> NotificationsPage

    /// Marks notifications as read; answers which of them there are.
    func markNotificationsRead(
        _ ids: [String], of owner: String, by stamp: Stamp
    ) async throws -> [String]

    /// The latest notification of a person that is not read; nil if there is none.
    func latestNotification(of owner: String) async throws -> NumberedNotification?

    /// Forgets notifications that are older than a time.
    func forgetNotifications(before time: Timestamp) async throws

    /// Forgets what a person subscribed to and was told.
    func forgetPushes(of owner: String) async throws

    /// Ends the use of the store; what was acknowledged stays.
    func close() async throws
}

extension RecordStore {
    /// Applies the operations of a batch to one zone; one result for each, in order.
    package func commit(_ batch: WriteBatch) async throws -> [ItemResult] {
        try await apply(batch).results
    }

    /// The records of those names in a zone, in the order asked. Throws `zoneNotFound`.
    package func records(named names: [String], in zone: String) async throws -> [StoredRecord?] {
        var found: [StoredRecord?] = []
        found.reserveCapacity(names.count)
        _ = try await lookup(names, in: zone, wantsToken: false) { found.append($0) }
        return found
    }

    /// Creates a zone, at the time of the last change.
    package func createZone(named name: String) async throws -> Zone {
        try await createZone(named: name, by: .nobody, atMost: .max)
    }

    /// All zones, the default zone first, the others by name.
    package func zones() async throws -> [Zone] {
        try await zones(after: nil, limit: .max)
    }

    /// Deletes a zone with all its records, at the time of the last change. Throws `zoneNotFound`.
    package func deleteZone(named name: String) async throws {
        try await deleteZone(named: name, reason: .deleted, by: .nobody)
    }

    /// Deletes a zone with all its records. Throws `zoneNotFound`.
    package func deleteZone(
        named name: String, reason: ZoneDeletionReason, at time: Timestamp
    ) async throws {
        try await deleteZone(named: name, reason: reason, by: Stamp(at: time, by: ""))
    }
}

extension Stamp {
    /// No time that counts, and no person.
    fileprivate static let nobody = Stamp(at: Timestamp(milliseconds: .min), by: "")
}
