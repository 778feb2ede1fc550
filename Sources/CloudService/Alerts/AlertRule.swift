package import Records

/// A figure of the server, and the bound above which the server sends operators an alert.
package struct AlertRule: Hashable, Sendable {
    package enum Figure: String, Hashable, Sendable, CaseIterable {
        /// The share of the apps' requests of the last minutes that failed with a server error, in percent.
        case errors
        /// The share of its quota that the fullest public database uses, in percent.
        case quota
        /// The number of people whose private data takes up nearly all of their quota.
        case people
        /// The seconds since the last request of an app.
        case silence
    }

    package var figure: Figure
    /// The bound in percent, in people for `people`, or in seconds for `silence`.
    package var bound: Double
    /// The rule as its operator wrote it.
    package var text: String

    /// Reads a rule such as `errors>5%`, `quota>90%`, `people>0` or `silence>30m`. Throws `badRequest` for
    /// any other text.
    package init(_ text: some StringProtocol) throws(RecordError) {
        let parts = String(text).utf8.split(separator: UInt8(ascii: ">"), omittingEmptySubsequences: false)
            .map { part in String(Substring(part)).filter { $0 != " " } }
        guard parts.count == 2, let figure = Figure(rawValue: parts[0]),
            let bound = Self.bound(parts[1], of: figure)
        else {
            throw RecordError(
                .badRequest, "the text is no rule for an alert", culprit: String(text),
                nextStep: "write one such as errors>5%, quota>90%, people>0 or silence>30m")
        }
        self.figure = figure
        self.bound = bound
        self.text = parts.joined(separator: ">")
    }

    /// Reads rules with commas between them. Throws as `init` does, and `limitExceeded` for too many.
    package static func rules(_ text: String) throws(RecordError) -> [AlertRule] {
        let parts = text.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0) }
        if parts.count > most {
            throw RecordError(
                .limitExceeded, "a server has at most \(most) rules for alerts", culprit: "alerts",
                nextStep: "leave some out")
        }
        var rules: [AlertRule] = []
        for part in parts { rules.append(try AlertRule(part)) }
        return rules
    }

    private static let most = 20

    private static func bound(_ text: String, of figure: Figure) -> Double? {
        switch figure {
        case .errors, .quota: percent(text)
        case .people: Int(text).flatMap { (0..<QuotaService.checkedPeople).contains($0) ? Double($0) : nil }
        case .silence: seconds(text)
        }
    }

    private static func percent(_ text: String) -> Double? {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), (0..<100).contains(number) else {
            return nil
        }
        return number
    }

    private static func seconds(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Double(text.dropLast()),
            number > 0, number <= 1000
        else { return nil }
        return number * unit
    }

    /// A value of the figure in words.
    func words(_ value: Double) -> String {
        let tenths = Int((min(max(value, 0), 1e9) * 10).rounded())
        let number = "\(tenths / 10).\(tenths % 10)"
        switch figure {
        case .errors, .quota: return number + " %"
        case .people: return tenths == 10 ? "1 person" : "\(tenths / 10) people"
        case .silence: return number + " seconds"
        }
    }
}

/// The values of the figures at one time.
package struct AlertFigures: Sendable {
    /// A public database and the share of its quota that it uses, in percent.
    package struct Fullness: Sendable {
        package var database: String
        package var percent: Double
    }

    /// Requests of apps in the last minutes, and those of them that failed with a server error.
    package var requests: Int64 = 0
    package var serverErrors: Int64 = 0
    /// The fullest public database; nil if it is not known.
    package var fullest: Fullness?
    /// The number of people whose private data takes up nearly all of their quota; nil if it is not known.
    package var nearlyFullPeople: Int?
    /// Seconds since the last request of an app.
    package var silence: Double = 0

    package init() {}

    /// The minimum number of requests from which the share of errors is computed.
    static let fewestRequests: Int64 = 20

    /// The value of a figure; nil if it is not known.
    func value(of figure: AlertRule.Figure) -> Double? {
        switch figure {
        case .errors:
            requests < Self.fewestRequests ? nil : Double(serverErrors) / Double(requests) * 100
        case .quota: fullest?.percent
        case .people: nearlyFullPeople.map { Double($0) }
        case .silence: silence
        }
    }
}

/// The message that a figure exceeds its bound, or no longer does.
package struct Alert: Hashable, Sendable {
    package var rule: String
    package var isRaised: Bool
    /// The value in words.
    package var value: String
    /// The database that a quota belongs to; nil for other figures.
    package var subject: String?
    package var at: Timestamp
    package var nextStep: String
}
