import Records

/// Decides which alerts to send. A rule raises an alert when its figure exceeds the bound, and clears it when
/// the figure no longer does.
struct AlertBook: Sendable {
    private let rules: [AlertRule]
    /// The times at which the present alerts were raised, by the index of their rule in `rules`.
    private var raised: [Int: Timestamp] = [:]

    /// The minimum time for which an alert stays raised, so that a figure near its bound does not raise one
    /// each minute.
    static let shortestSeconds: Int64 = 300

    init(_ rules: [AlertRule]) {
        self.rules = rules
    }

    /// Evaluates the rules for the figures at a time, and returns the alerts to send. An unknown figure
    /// neither raises nor clears an alert.
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
            case .people: "look at the people who store the most in the console, or raise their quota"
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

    /// The number of minutes in the window.
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
