package import Records

/// The request header, with the value `1`, that requests the details that only Cloudlet's own client uses.
package let detailsHeader = "X-Cloudlet-Details"

extension RecordError {
    /// Decodes an error dictionary. `home` is the zone of the request.
    package init(_ node: JSONNode, home: ZoneID = .default) {
        let name = (node["serverErrorCode"] ?? node["extensionErrorCode"])?.stringValue ?? ""
        let reason = node["reason"]?.stringValue
        let fallback = name.isEmpty ? "the server gave no reason" : name
        self.init(Code(wireName: name), reason ?? fallback)
        if let wait = node["retryAfter"] {
            retryAfter = (wait.doubleValue ?? Self.seconds(wait.stringValue)).flatMap {
                Self.wholeSeconds($0)
            }
        }
        redirectURL = (node["redirectURL"] ?? node["redirectUrl"])?.stringValue
        isExact = false
        guard let details = node["cloudlet"] else { return }
        if let exact = details["code"]?.stringValue.flatMap(Code.init(rawValue:)) {
            (code, isExact) = (exact, true)
        }
        culprit = details["culprit"]?.stringValue
        nextStep = details["nextStep"]?.stringValue
        unknownField = details["unknownField"]?.stringValue
        serverRecord = details["serverRecord"].flatMap { try? Record($0, home: home) }
    }

    /// Decodes the answer to a failed request. If the body is not an error dictionary, the status determines
    /// the error. A server has a dictionary in all its errors, so the statuses 502, 503 and 504 without one
    /// are those of a proxy in front of it.
    package init(status: Int, body: [UInt8], home: ZoneID = .default) {
        if let root = try? JSONDocument(body).root, root["serverErrorCode"] != nil {
            self.init(root, home: home)
            return
        }
        if [502, 503, 504].contains(status) {
            self.init(
                Code(status: status),
                "a proxy answered with status \(status), because the server behind it does not answer",
                nextStep: "try again later; if you run the server, check that it runs, and that the proxy "
                    + "passes requests to its address")
            isExact = false
            return
        }
        self.init(
            Code(status: status),
            "the server answered with status \(status) and no error that can be read",
            nextStep: "check that the address is that of a CloudKit Web Services server"
        )
        isExact = false
    }

    /// Parses durations such as `30s`, which some servers send instead of a number.
    private static func seconds(_ text: String?) -> Double? {
        guard let text, text.hasSuffix("s") else { return nil }
        return Double(text.dropLast())
    }

    private static func wholeSeconds(_ value: Double) -> Int? {
        guard value.isFinite, value >= 0 else { return nil }
        return Int(exactly: min(value, 31_536_000).rounded(.up))
    }
}

extension RecordError {
    /// Encodes the error as a whole body. The HTTP status is `code.status`.
    package func encoded(in context: AnswerContext) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        writeMembers(to: &json, in: context)
        json.endObject()
        return json.bytes
    }

    /// Writes the members of the error dictionary, next to the identity of the failed item.
    func writeMembers(to json: inout JSONWriter, in context: AnswerContext) {
        json.member("uuid", context.uuid)
        json.member("serverErrorCode", code.wireName)
        json.member("reason", reason)
        json.member("retryAfter", retryAfter.map(Int64.init))
        json.member("redirectURL", redirectURL)
        guard context.addsDetails else { return }
        json.key("cloudlet")
        json.beginObject()
        json.member("code", code.rawValue)
        json.member("culprit", culprit)
        json.member("nextStep", nextStep)
        json.member("unknownField", unknownField)
        if let serverRecord {
            json.key("serverRecord")
            RecordAnswerWriter(context).write(serverRecord, to: &json)
        }
        json.endObject()
    }
}

extension RecordError {
    /// The error for a client that could not decode the server's answer.
    var asUnreadableAnswer: RecordError {
        RecordError(.internalError, "the answer of the server cannot be read", culprit: culprit)
    }
}
