package import Records

/// One database: records in zones, stored with the bytes that were given, changed in transactions, and
/// queried through indexes.
///
/// Every store keeps the following promises. Each sentence is the title of a test in the contract suite.
///
/// Saving:
/// - A created record is fetched with the fields, the type and the stamp it was saved with.
/// - Every type of field comes back as it was given, and in the same bytes.
/// - `records` returns one element for each name, in the order given; nil for a missing record.
/// - `heads` returns what `records` does, without the bytes of the fields.
/// - The records of one look-up, and the token with them, are read as of one moment.
/// - A look-up of records that have together more bytes of fields than it allows is refused.
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
/// - Creating a record under a name that exists is refused, without the server's record.
/// - An operation on a missing record fails with `notFound`, except forced ones: `forceUpdate` and
///   `forceReplace` create it, `forceDelete` succeeds.
/// - A forced save with a change tag does not create a record that was deleted.
/// - A record cannot be created without a type, and cannot change its type.
/// - A record of the largest size is saved, and one byte more is refused.
/// - A name that was deleted can be used again, as a new record.
/// - A name that was deleted can be used again by a record with a parent and a validating reference.
/// - An operation that is not permitted gets its refusal as result, and nothing changes.
/// - Writing to a missing zone, or reading from it, is refused.
///
/// Batches:
/// - A batch gives one result for each operation, in the order given.
/// - An atomic batch with one bad operation changes nothing; every bad operation gets its own error and
///   every other one `atomicFailure`.
/// - An atomic batch without errors is applied as a whole.
/// - A batch that is not atomic applies each operation that succeeds.
/// - An operation that fails uses up no sequence number.
/// - A batch is sorted so that no record is written before the records it refers to.
/// - A batch is sorted along parents too.
/// - A cycle of delete-self references is saved in the order given.
/// - A record can be deleted in one batch with the records that validate it or are its children, in any
///   order.
/// - A deletion is applied after the update of the same batch that removes a reference to the record.
/// - A deletion fails if the update of the same batch that should remove a reference to the record fails.
/// - The saved records in the results of one batch have together no more bytes than a request may have, and
///   those in conflicts no more than a page.
/// - A batch reserves memory for its results before it commits, and changes nothing if there is none.
/// - An empty batch changes nothing.
/// - A batch that is undone changes nothing, and leaves no new types and fields behind.
///
/// References:
/// - Deleting a record deletes the records that refer to it with delete-self, recursively, in the same
///   transaction.
/// - A cascade deletes a tree of references however deep it is.
/// - A cascade deletes a tree of references however wide it is.
/// - The deletions of a batch cascade to a limited number of records; a deletion that would exceed the limit
///   is refused as a whole.
/// - The searchable texts of the records that a deletion takes along are limited; a deletion that would
///   exceed the limit changes nothing, and succeeds after records that refer to it were deleted one by one.
/// - A cascade ends when references form a cycle.
/// - A record with several delete-self targets is deleted with the first of them, and only once.
/// - A reference that was changed or removed no longer causes a cascade.
/// - A reference may point at a missing record, also with delete-self; it takes effect when that record is
///   created.
/// - The target of a validating or parent reference must exist when it is saved.
/// - A record cannot be deleted while another validates it, or has it for its parent.
/// - A cascade that would leave a validating or parent reference dangling is refused as a whole.
/// - A child that is deleted in the same cascade does not prevent the deletion of its parent.
/// - A batch pays for the records of its cascades, also of refused ones; without a balance it is refused and
///   changes nothing.
/// - A batch without a balance deletes records to which no reference points.
/// - The number of delete-self references to one target is limited.
/// - A reference saved by a person who may not write its target does not prevent the target's deletion, and
///   does not count for its limit.
/// - A record of a person who may not write its delete-self target is deleted with the target unless another
///   record prevents that; their number in one batch is limited.
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
/// - The number of custom zones of a database is limited.
/// - Creating a zone that exists returns it as it is.
/// - A zone's token stands for its last change.
/// - The same name in two zones is two records.
/// - Deleting a zone deletes all its records and index entries, and nothing of other zones.
/// - A zone that is created again is another zone: tokens of the old one are expired.
/// - The default zone cannot be deleted.
/// - A purge or reset empties the default zone, and leaves it there.
/// - A request for a zone that was purged or reset fails with that reason, until the zone is created again or
///   its deletion is forgotten.
///
/// Conditions:
/// - Every comparator finds the right records on every type of field.
/// - Every comparator of lists finds the right records on every type of element.
/// - System fields, times and names can be used in conditions like fields.
/// - Conditions on times are exact, among thousands of changes and in any zone.
/// - A record without a field matches no condition on that field, not even a negative one.
/// - All conditions of a query must hold.
/// - A text is compared by its bytes: two spellings of one letter are two texts.
/// - References are equal when they point at the same record of the same zone.
/// - A condition may have a long list of values.
///
/// Order:
/// - Without a sort, records come in the order of their creation.
/// - A sort orders by value in both directions, missing values first when ascending and last when
///   descending.
/// - Several sort keys apply one after the other, each in its direction.
/// - System fields order records too.
/// - The order of a query is total; its cursor continues exactly after the last record, whatever was written
///   in between, also after a restart.
/// - A page holds as many records as asked, and the last page has no cursor.
/// - A page ends with the record that brings its bytes to the limit.
/// - A query in all zones finds the records of each, in one order.
///
/// Places:
/// - NEAR finds the places inside the circle, and those on it.
/// - NEAR looks across the antimeridian.
/// - NEAR looks across the poles.
/// - An order by distance begins with the nearest, and ends with records without a place.
/// - A descending order by distance begins with the farthest, and still ends with records without a place.
/// - An order by distance can be combined with NEAR and other conditions.
/// - A place that moved is found where it is, not where it was.
///
/// Words:
/// - A search finds words whatever their case, diacritics and punctuation.
/// - A search for all words finds records that have each of them, a search for any word those that have at
///   least one.
/// - A search without a field searches all searchable texts of a record together.
/// - Words of every script can be searched.
/// - A text that changed is found by its new words only.
/// - A search of thousands of words is answered.
/// - A record of a hundred texts is searched in all of them.
///
/// Changes:
/// - A feed lists each changed record once, in its latest state, oldest change first, deletions included.
/// - A token leads to exactly the changes since it was given out.
/// - A token with an answer is no newer than the answer: every change that the answer lacks follows it.
/// - The pages of a feed miss no change, whatever is written in between.
/// - A page of changes ends with the change that brings its bytes to the limit.
/// - A reversed feed runs to the first change and is then at its end.
/// - A token of another direction or feed, a truncated token and garbage are refused.
/// - A token of another database or zone is expired.
/// - The feed of zones lists each custom zone once, changed or gone, oldest change first.
/// - A feed lists a deletion until it is forgotten; a token from before a forgotten deletion is expired.
/// - A database keeps a limited number of deletions, or as many as it has records if that is more; the oldest
///   are forgotten.
/// - A database keeps as many deletions of zones as it may have zones: the oldest are forgotten.
/// - A first pass through a feed continues when deletions from before its start are forgotten, and expires
///   when later ones are.
/// - The deletion of a zone is forgotten like that of a record.
///
/// Batches of devices:
/// - A page of changes tells a device the name of its last batch in the zone, and which records of that batch
///   were not changed.
/// - A batch that is undone, or that changes nothing, does not replace the name of the last batch.
/// - For a batch that is sent again under its name, the changes of both attempts count.
/// - A zone remembers a limited number of devices of a person; one more replaces the device that wrote
///   longest ago.
/// - A database remembers a limited number of batches of all zones; one more replaces the oldest.
/// - A zone that is created again remembers no batch.
/// - The name of a batch is on disk together with the batch's changes.
///
/// Shares:
/// - A share is saved with its root, which then names it; both come back with their terms.
/// - A share without its root in the batch needs the root's change tag.
/// - Public databases, default zones and zones that are shared as a whole cannot have shares of records.
/// - A record is covered by one share: a root below or above another one, and a second share of a root, are
///   refused.
/// - A parent that would put a root under another share is refused.
/// - A subtree that moves under a share, or out of it, is covered as a whole from then on.
/// - A deep chain, a wide tree and a cycle of parents move under a share and out of it.
/// - A root keeps its short GUID when its share ends and another begins.
/// - Deleting a share leaves its records, and its root no longer names it.
/// - Deleting a root deletes its share.
/// - People become and stop being members of a share in the transaction that saves its terms.
/// - A participant writes what the terms permit, below the root only, and never deletes the root.
/// - A participant who deletes the share leaves it.
/// - The feed of a person shows the records of the person's shares and nothing else, each once.
/// - A record that comes under a share appears in its feed as changed, one that leaves it as deleted.
/// - A share that a person joins later appears whole after an older token.
/// - A share that ended for a person appears as deletions while another share of the zone continues.
/// - A record that moves from one share of a person to another is not deleted for that person.
/// - A feed does not name a record that its reader has never seen.
/// - The token of a shared feed does not change when only other records change.
/// - A shared feed misses no change between its pages, and ends with its limit of bytes.
/// - When it is forgotten that a record left a share, older tokens of the shared feed expire.
/// - A page of a shared feed ends after a limited number of rows, with or without changes.
/// - A database keeps a limited number of traces of records that left shares and of shares that ended; the
///   oldest are forgotten.
/// - A batch pays for the records that go to another share, and is refused without a balance.
/// - Forgotten changes of a share expire the tokens of the people who took part in it, and no others.
/// - A file is shared with a person while a share of the person covers a record with it.
/// - A batch that is only tried returns its results and changes nothing.
/// - A share of a zone shows all its records.
/// - A person without a share in a zone does not find the zone.
///
/// Files:
/// - Files that no record refers to any more are listed as released until the caller reports that they are
///   collected.
/// - An update that keeps a file does not release it.
/// - A cascade releases the files of all records that it deletes.
/// - Deleting a zone releases the files that only its records referred to.
/// - The files of a person are those that records created by the person refer to, and no others.
///
/// Pushes:
/// - A created subscription is returned as it was given; creating it again under the same ID leaves the
///   existing one unchanged.
/// - An update replaces a subscription; updating or deleting a missing one fails.
/// - A person has one query subscription for each record type, condition, zone and set of events.
/// - The number of subscriptions of a person is limited.
/// - A query subscription fires for a record that matches after a save, or that matched before its deletion.
/// - A subscription can have every condition that a query can have.
/// - One change fires a limited number of a person's subscriptions, the oldest first.
/// - Searches are compared with the records of a commit until their searchable texts reach
///   `searchableBytesPerRequest`.
/// - A subscription that fires once ends with its first push.
/// - A subscription to a zone fires once for each commit that changes it.
/// - A subscription to a database fires for changes in every custom zone, and when one is created or deleted.
/// - A person who may not read a record gets no push about it.
/// - A batch that is undone causes no push.
/// - Subscriptions to shared databases are stored apart, and fire only for what their owners can see.
/// - A member's subscription to the shared database fires once for each commit that the member sees.
/// - A push carries the fields that its subscription asks for, with texts cut short and without encrypted
///   fields.
/// - The pushes of several subscriptions about one change share its identifier.
/// - A person's notification collection is read page by page, oldest notification first.
/// - A notification that is marked as read leaves the collection, which then lists that marking once.
/// - Old notifications are forgotten, and a reader that has not seen them gets `changeTokenExpired`.
/// - A person's unread notifications are limited in number; one more makes the store forget the oldest tenth.
/// - A person's unread notifications are limited in bytes; beyond the limit the oldest are forgotten.
/// - A person's read notifications are limited as unread ones are; beyond it the oldest are forgotten.
/// - A page of notifications ends when it reaches its limit of bytes.
/// - The latest unread notification of a person can be looked up, to send it in place of undelivered ones.
/// - Removing a person removes the person's subscriptions and notifications, and nothing of others.
///
/// Lasting:
/// - A commit is applied in one transaction; when it returns, its changes are on disk.
/// - An index added to a field after records were saved is filled before a query uses it.
/// - A second index added to a field is filled too.
/// - An index that was removed from the schema is dropped, and built again when it is added again.
/// - The tables of types with many fields are prepared in several transactions; their records are saved and
///   found.
/// - Encrypted fields are stored, and never indexed.
/// - Writes that arrive together each get their own result.
///
/// All methods throw `RecordError`. Reads also throw `ReadBudget.Exceeded` if the task has a budget and it is
/// used up.
package protocol RecordStore: SharedRecordStore, UsageStore {
    /// Applies the operations of a batch to one zone.
    func apply(_ batch: WriteBatch) async throws -> BatchAnswer

    /// Reads the records with these names in a zone, all as of one moment. `take` gets each in the order
    /// asked, nil for a missing one, and ends the read by throwing.
    ///
    /// - Parameter bytes: the maximum bytes of fields of all the records. No store has many more in memory.
    /// - Returns: the zone's token as of that moment if `wantsToken`; nil for the default zone.
    /// - Throws: `zoneNotFound`, `limitExceeded` for records with more than `bytes` bytes of fields, and the
    ///   errors of `take`.
    func lookup(
        _ names: [String], in zone: String, atMost bytes: Int, wantsToken: Bool,
        take: (StoredRecord?) throws -> Void
    ) async throws -> ChangeToken?

    /// Like `records`, but the fields are empty: their bytes are not read. Throws `zoneNotFound`.
    func heads(named names: [String], in zone: String) async throws -> [StoredRecord?]

    /// Returns a page of the records that a plan selects, with the zone's token as of the same moment if the
    /// plan wants it. Throws `zoneNotFound`.
    func query(_ plan: QueryPlan) async throws -> QueryPage

    /// Returns at most `limit` zones: the default zone first, the others in the byte order of their names.
    ///
    /// - Parameter name: the last zone of the page before; nil begins with the default zone.
    func zones(after name: String?, limit: Int) async throws -> [Zone]

    /// Returns the zones with these names, in the same order; nil for a missing zone.
    func zones(named names: [String]) async throws -> [Zone?]

    /// Creates a zone, or returns the existing one unchanged. Throws `limitExceeded` when the database
    /// already has `most` custom zones.
    func createZone(named name: String, by stamp: Stamp, atMost most: Int) async throws -> Zone

    /// Deletes a zone with all its records. `zoneChanges` and the errors of later requests carry the reason.
    ///
    /// The default zone is emptied instead. Throws `badRequest` for the default zone with the reason
    /// `deleted`, and `zoneNotFound`.
    func deleteZone(named name: String, reason: ZoneDeletionReason, by stamp: Stamp) async throws

    /// Returns a page of the custom zones that were changed or deleted since a token. Throws as `changes`
    /// does.
    func zoneChanges(since token: ChangeToken?, limit: Int) async throws -> ZoneChangesPage

    /// Forgets deletions of records and zones from before a time. Tokens from before a forgotten deletion are
    /// expired from then on.
    func forgetDeletions(before time: Timestamp) async throws

    /// Returns a page of a zone's changes. Throws `zoneNotFound`; for the token, `badRequest` or
    /// `changeTokenExpired`.
    func changes(_ request: ChangesRequest) async throws -> ChangesPage

    /// Creates the tables and indexes for these record types, in several short transactions, so that other
    /// writes can run in between. A commit does the same for the types that it writes.
    func prepare(_ types: [TypeSchema]) async throws

    /// Drops the indexes that are not in a schema, also those of types that it no longer has. The values
    /// remain in the records.
    ///
    /// - Returns: the bytes that became free for other data of the database; nil if the store cannot tell.
    @discardableResult
    func dropIndexes(notIn schema: Schema) async throws -> Int64?

    /// Returns whether any record refers to the file with this checksum.
    func usesAsset(_ fileChecksum: String) async throws -> Bool

    /// Returns those of the checksums whose files belong to records that this person created.
    ///
    /// The cost for each file grows with the number of records that refer to it, so ask for several in one
    /// call.
    func assets(of fileChecksums: Set<String>, createdBy person: String) async throws -> Set<String>

    /// Returns those of the checksums whose files belong to the records with these names in a zone. The
    /// checksums are keyed by record name. The cost is that of a look-up for each checksum, however large the
    /// records are. Throws `zoneNotFound`.
    func assets(
        of fileChecksums: [String: Set<String>], inZone zone: String
    ) async throws -> [String: Set<String>]

    /// Returns the checksums of at most `limit` files that lost their last reference. Some may have got a new
    /// one since.
    func releasedAssets(limit: Int) async throws -> [String]

    /// Removes these files from the released ones, if records refer to them (`thatAreOwned` is true) or if
    /// none does (false). Files for which this has changed since the caller looked stay in the list.
    func forgetReleasedAssets(_ fileChecksums: [String], thatAreOwned: Bool) async throws

    // MARK: Pushes

    /// Whether the database has any subscription.
    var hasSubscriptions: Bool { get }

    /// Returns a person's subscriptions in the order of their creation.
    func subscriptions(of owner: String, in scope: SubscriptionScope) async throws -> [Subscription]

    /// Creates, replaces and deletes a person's subscriptions, each on its own. Returns one result for each.
    func modifySubscriptions(
        _ operations: [SubscriptionOperation], of owner: String, in scope: SubscriptionScope, limits: Limits
    ) async throws -> [SubscriptionResult]

    /// Replaces all of a person's subscriptions to the shared database.
    func setSharedSubscriptions(_ all: [Subscription], of person: String) async throws

    /// The number of the last notification that was created; 0 if there was none.
    var lastNotification: Int64 { get }

    /// Returns the notifications of all people after a number, in ascending order: at most `limit`, ending
    /// with the one that brings their encoded size to `bytes`.
    func notifications(
        after number: Int64, limit: Int, bytes: Int
    ) async throws -> [NumberedNotification]

    /// Returns a page of a person's unread notifications and notices of reading, in ascending order: at most
    /// `limit`, ending with the one that brings their encoded size to `bytes`. Throws `changeTokenExpired` if
    /// a notification after `number` was forgotten.
    func notifications(
        of owner: String, after number: Int64, limit: Int, bytes: Int
    ) async throws -> NotificationsPage

    /// Marks notifications as read, and forgets the person's oldest read ones if there are too many. Returns
    /// the identifiers for which the person had a notification.
    func markNotificationsRead(_ ids: [String], of owner: String, by stamp: Stamp) async throws -> [String]

    /// Returns a person's latest unread notification; nil if there is none.
    func latestNotification(of owner: String) async throws -> NumberedNotification?

    /// Forgets all notifications from before a time, read or not.
    func forgetNotifications(before time: Timestamp) async throws

    /// Removes a person's subscriptions and notifications.
    func forgetPushes(of owner: String) async throws

    /// Makes waiting, running and later writes fail with `tryAgainLater`, because the server stops.
    /// Acknowledged commits stay on disk.
    func interruptWrites()

    /// Closes the store. Acknowledged commits stay on disk.
    func close() async throws
}
