import Records

/// Decides which alerts to send: each rule raises one when its figure passes the bound, and clears it once
/// when the figure is back.
struct AlertBook: Sendable {
    private let rules: [AlertRule]
    /// When the rules that are raised were raised, by their place in `rules`.
    private var raised: [Int: Timestamp] = [:]

    /// A raised alert stays for that long, so that a figure near its bound does not raise one each minute.
    static let shortestSeconds: Int64 = 300

    init(_ rules: [AlertRule]) {
        self.rules = rules
    }

    /// Takes the figures of a time, and returns the alerts to send. A figure that is not known changes
    /// nothing.
    mutating func step(_ figures: AlertFigures, at now: Timestamp) -> [Alert] {
        var alerts: [Alert] = []
        for (place, rule) in rules.enumerated() {
            guard let value = figures.value(of: rule.figure) else { continue }
            let isBeyond = value > rule.bound
            if isBeyond, raised[place] == nil {
                raised[place] = now
                alerts.append(alert(rule, isRaised: true, value, figures, now))
            } else if !isBeyond, let since = raised[place],
                now >= since.advanced(bySeconds: Self.shortestSeconds)
            {
                raised[place] = nil
                alerts.append(alert(rule, isRaised: false, value, figures, now))
            }
        }
        return alerts
    }

    private func alert(
        _ rule: AlertRule, isRaised: Bool, _ value: Double, _ figures: AlertFigures, _ now: Timestamp
    ) -> Alert {
        let step =
            switch rule.figure {
            case .errors: "look at the requests: cloudlet logs --error internalError"
            case .quota: "look at the page Usage of the console, or raise the quota"
            case .silence: "check that apps reach the server"
            }
        return Alert(
            rule: rule.text, isRaised: isRaised, value: rule.words(value),
            subject: rule.figure == .quota ? figures.fullest?.database : nil, at: now,
            nextStep: isRaised ? step : "nothing")
    }
}

/// The requests of the last minutes, counted by minute.
struct RequestWindow: Sendable {
    private var minutes: [(number: Int64, requests: Int64, serverErrors: Int64)] = []
    private(set) var last: Timestamp

    /// Minutes that count.
    static let length: Int64 = 5

    init(since start: Timestamp) {
        last = start
    }

    /// Counts a request.
    mutating func add(isServerError: Bool, at now: Timestamp) {
        last = max(last, now)
        let number = now.milliseconds / 60_000
        if minutes.last?.number != number {
            minutes.append((number, 0, 0))
            minutes.removeAll { abs($0.number - number) >= Self.length }
        }
        minutes[minutes.count - 1].requests += 1
        if isServerError { minutes[minutes.count - 1].serverErrors += 1 }
    }

    /// The figures about requests at a time.
    func figures(at now: Timestamp) -> AlertFigures {
        let number = now.milliseconds / 60_000
        var figures = AlertFigures()
        for minute in minutes where abs(minute.number - number) < Self.length {
            figures.requests += minute.requests
            figures.serverErrors += minute.serverErrors
        }
        figures.silence = Double(max(0, now.milliseconds - last.milliseconds)) / 1000
        return figures
    }
}
