import CloudKit

enum NextStep: Equatable {
    case done, fromTheBeginning, inHalves
    case later(seconds: Double)
    case never(reason: String)
}

func nextStep(after work: () async throws -> Void) async -> NextStep {
    do {
        try await work()
        return .done
    } catch let error as CKError {
        if let seconds = error.retryAfterSeconds { return .later(seconds: seconds) }
        switch error.code {
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .zoneBusy: return .later(seconds: 30)
        case .changeTokenExpired: return .fromTheBeginning
        case .limitExceeded: return .inHalves
        default: return .never(reason: error.localizedDescription)
        }
    } catch {
        return .never(reason: "\(error)")
    }
}
