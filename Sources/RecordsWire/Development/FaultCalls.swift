package import Records

/// Lists the faults that there are, and those in force.
package struct ListFaults: BareCall {
    package typealias Answer = FaultsReport
    package static let endpoint = ServerEndpoint.development(.listFaults)

    package init() {}
}

/// Puts a fault in force, or ends some.
package struct ChangeFaults: ServerCall {
    package typealias Answer = FaultsReport
    package static let endpoint = ServerEndpoint.development(.changeFaults)

    /// A fault that is asked for; the server knows which names and numbers it takes.
    package struct Addition: WireObject {
        package var name: String
        /// The only endpoint that it befalls; nil: all.
        package var endpoint: String?
        /// The only device that it befalls; nil: all.
        package var device: String?
        /// The first of the calls that it befalls: 1 is the next one. nil: 1.
        package var first: Int?
        /// How many calls it befalls; nil: all.
        package var count: Int?
        /// Seconds of delay or before another try; nil: what is usual for the fault.
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

    /// Whether to end all faults first.
    package var clearsAll: Bool
    /// The number of a fault to end.
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

/// The faults of a server.
package struct FaultsReport: WireObject {
    /// A fault that can be put in force.
    package struct Kind: WireObject {
        package var name: String
        package var summary: String
        /// nil: it befalls calls of all endpoints.
        package var endpoints: [String]?
        /// What is usual for it.
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

    /// A fault in force, with its history.
    package struct Entry: WireObject {
        package var id: Int
        package var name: String
        package var endpoint: String?
        package var device: String?
        /// The first of the calls that it befalls: 1 was the next one.
        package var first: Int
        /// How many calls it befalls; nil: all.
        package var count: Int?
        package var seconds: Int
        /// Calls that it was about.
        package var met: Int
        /// Calls that it befell.
        package var struck: Int

        package init(
            id: Int, name: String, endpoint: String?, device: String?, first: Int, count: Int?, seconds: Int,
            met: Int, struck: Int
        ) {
            self.id = id
            self.name = name
            self.endpoint = endpoint
            self.device = device
            self.first = first
            self.count = count
            self.seconds = seconds
            self.met = met
            self.struck = struck
        }

        package init(_ object: JSONNode) throws(RecordError) {
            id = try object.required("id").int()
            name = try object.required("name").string()
            endpoint = try object["endpoint"]?.string()
            device = try object["device"]?.string()
            first = try object.required("first").int()
            count = try object["count"]?.int()
            seconds = try object.required("seconds").int()
            met = try object.required("met").int()
            struck = try object.required("struck").int()
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("id", Int64(id))
            json.member("name", name)
            json.member("endpoint", endpoint)
            json.member("device", device)
            json.member("first", Int64(first))
            json.member("count", count.map(Int64.init))
            json.member("seconds", Int64(seconds))
            json.member("met", Int64(met))
            json.member("struck", Int64(struck))
        }
    }

    /// nil where it was not asked for.
    package var catalogue: [Kind]?
    /// In the order in which they were added, those that are used up included.
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
