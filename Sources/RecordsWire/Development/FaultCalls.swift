package import Records

/// Lists the kinds of faults and the active faults.
package struct ListFaults: BareCall {
    package typealias Answer = FaultsReport
    package static let endpoint = ServerEndpoint.development(.listFaults)

    package init() {}
}

/// Adds or removes faults.
package struct ChangeFaults: ServerCall {
    package typealias Answer = FaultsReport
    package static let endpoint = ServerEndpoint.development(.changeFaults)

    /// A fault to add. The server validates its name and numbers.
    package struct Addition: WireObject {
        package var name: String
        /// The only endpoint that the fault applies to; nil: all.
        package var endpoint: String?
        /// The only device that the fault applies to; nil: all.
        package var device: String?
        /// The first matching call that the fault affects; 1, the default, is the next one.
        package var first: Int?
        /// How many matching calls the fault affects; nil: all.
        package var count: Int?
        /// The delay, or the time to wait before a retry, in seconds; nil: the default of the kind.
        package var seconds: Int?

        package init(
            _ name: String, endpoint: String? = nil, device: String? = nil, first: Int? = nil,
            count: Int? = nil, seconds: Int? = nil
        ) {
            self.name = name
            self.endpoint = endpoint
            self.device = device
            self.first = first
            self.count = count
            self.seconds = seconds
        }

        package init(_ object: JSONNode) throws(RecordError) {
            name = try object.required("name").string()
            endpoint = try object["endpoint"]?.string()
            device = try object["device"]?.string()
            first = try object["first"]?.int()
            count = try object["count"]?.int()
            seconds = try object["seconds"]?.int()
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("name", name)
            json.member("endpoint", endpoint)
            json.member("device", device)
            json.member("first", first.map(Int64.init))
            json.member("count", count.map(Int64.init))
            json.member("seconds", seconds.map(Int64.init))
        }
    }

    /// Whether to remove all faults first.
    package var clearsAll: Bool
    /// The identifier of a fault to remove.
    package var removal: Int?
    package var addition: Addition?

    package init(clearsAll: Bool = false, removing removal: Int? = nil, adding addition: Addition? = nil) {
        self.clearsAll = clearsAll
        self.removal = removal
        self.addition = addition
    }

    package init(reading request: CallReader) throws(RecordError) {
        clearsAll = try request.body.flag("clear")
        removal = try request.body["remove"]?.int()
        if let fault = request.body["add"] { addition = try Addition(fault.object()) }
    }

    package func write(to request: inout CallWriter) {
        request.body.flag("clear", clearsAll)
        request.body.member("remove", removal.map(Int64.init))
        guard let addition else { return }
        request.body.key("add" as StaticString)
        addition.write(to: &request.body)
    }
}

/// The kinds of faults and the active faults of a server.
package struct FaultsReport: WireObject {
    /// A kind of fault.
    package struct Kind: WireObject {
        package var name: String
        package var summary: String
        /// The endpoints that the fault applies to; nil: all.
        package var endpoints: [String]?
        /// The default of the fault's `seconds`.
        package var seconds: Int

        package init(name: String, summary: String, endpoints: [String]?, seconds: Int) {
            self.name = name
            self.summary = summary
            self.endpoints = endpoints
            self.seconds = seconds
        }

        package init(_ object: JSONNode) throws(RecordError) {
            name = try object.required("name").string()
            summary = try object.required("summary").string()
            endpoints = try object["endpoints"]?.strings()
            seconds = try object.required("seconds").int()
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("name", name)
            json.member("summary", summary)
            json.member("endpoints", endpoints)
            json.member("seconds", Int64(seconds))
        }
    }

    /// An active fault with its counters.
    package struct Entry: WireObject {
        package var id: Int
        package var name: String
        package var endpoint: String?
        package var device: String?
        /// The first matching call that the fault affects, counted from 1.
        package var first: Int
        /// How many matching calls the fault affects; nil: all.
        package var count: Int?
        package var seconds: Int
        /// The number of matching calls.
        package var matchingCalls: Int
        /// The number of calls that the fault affected.
        package var affectedCalls: Int

        package init(
            id: Int, name: String, endpoint: String?, device: String?, first: Int, count: Int?, seconds: Int,
            matchingCalls: Int, affectedCalls: Int
        ) {
            self.id = id
            self.name = name
            self.endpoint = endpoint
            self.device = device
            self.first = first
            self.count = count
            self.seconds = seconds
            self.matchingCalls = matchingCalls
            self.affectedCalls = affectedCalls
        }

        package init(_ object: JSONNode) throws(RecordError) {
            id = try object.required("id").int()
            name = try object.required("name").string()
            endpoint = try object["endpoint"]?.string()
            device = try object["device"]?.string()
            first = try object.required("first").int()
            count = try object["count"]?.int()
            seconds = try object.required("seconds").int()
            matchingCalls = try object.required("met").int()
            affectedCalls = try object.required("struck").int()
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("id", Int64(id))
            json.member("name", name)
            json.member("endpoint", endpoint)
            json.member("device", device)
            json.member("first", Int64(first))
            json.member("count", count.map(Int64.init))
            json.member("seconds", Int64(seconds))
            json.member("met", Int64(matchingCalls))
            json.member("struck", Int64(affectedCalls))
        }
    }

    /// The kinds of faults; nil in answers that do not list them.
    package var catalogue: [Kind]?
    /// The faults in the order of their addition, including those that no longer affect any call.
    package var faults: [Entry]

    package init(catalogue: [Kind]? = nil, faults: [Entry]) {
        self.catalogue = catalogue
        self.faults = faults
    }

    package init(_ object: JSONNode) throws(RecordError) {
        if object["catalogue"] != nil { catalogue = try object.objects("catalogue") }
        faults = try object.objects("faults")
    }

    package func writeMembers(to json: inout JSONWriter) {
        if let catalogue { json.list("catalogue", catalogue) { $0.write(to: &$1) } }
        json.list("faults", faults) { $0.write(to: &$1) }
    }
}
