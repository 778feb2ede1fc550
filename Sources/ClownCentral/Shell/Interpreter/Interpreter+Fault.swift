// Owns doing the commands about faults, and keeping those in force in sight.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: FaultCommand) async throws -> Answer {
        switch command {
        case .add(let fault): try await addFault(fault)
        case .list: Answer.faults(note(try await site.faults()), note: nil)
        case .clear(let name): try await clearFaults(name)
        }
    }

    /// The names of the faults in force. A server in this process is asked; of one elsewhere, which may be
    /// slow or gone, it is what the last command about faults, or `status`, saw.
    func faultMarks() async -> [String] {
        if site.isEmbedded, let faults = try? await site.faults() { note(faults) }
        return session.faultMarks
    }

    /// The faults of the server; none of a server that knows no faults.
    func knownFaults() async throws -> [FaultInForce] {
        do {
            return try await site.faults()
        } catch is Complaint {
            return []
        }
    }

    /// Keeps what is in force for the prompt.
    @discardableResult
    func note(_ faults: [FaultInForce]) -> [FaultInForce] {
        session.faultMarks = faults.filter { !$0.isUsedUp }.map(\.name)
        return faults
    }

    private func addFault(_ fault: FaultRequest) async throws -> Answer {
        let faults = note(try await site.add(fault))
        return Answer.faults(
            faults.filter { !$0.isUsedUp },
            note: "\(fault.name) is in force; end it with: fault clear \(fault.name)")
    }

    private func clearFaults(_ name: String?) async throws -> Answer {
        let before = try await site.faults()
        var left = before
        if let name {
            for fault in before where fault.name == name { left = try await site.removeFault(fault.id) }
        } else {
            left = try await site.clearFaults()
        }
        let ended = before.count - left.count
        return Answer.faults(note(left), note: "ended \(Answer.counted(ended, "fault"))", ended: ended)
    }
}
