import Foundation
import Testing

@testable import CloudletShell
@testable import CommandShell

@Suite("Completion in a shell for any container")
struct CompletionTests {
    private let completer = Completer(
        table: CommandTable(
            of: CloudProgram(
                ProgramNames("cloudlet", title: "Cloudlet"),
                session: .placeholder(of: ProgramNames("cloudlet", title: "Cloudlet")), build: "")))

    private func site(_ line: String) -> CompletionSite {
        completer.site(line: line, cursor: line.count)
    }

    @Test("offers the fields and records of the record type")
    func types() {
        #expect(site("record save Prop ").source == .live(.record))
        #expect(site("record save Prop ").given == ["Prop"])
        #expect(site("record save Prop hoop na").source == .live(.fieldValue))
        #expect(site("record save Prop hoop na").given == ["Prop", "hoop"])
        #expect(site("schema delete Prop ").source == .live(.field))
        #expect(site("schema delete Prop ").given == ["Prop"])
        #expect(site("record show ").source == .live(.record))
        #expect(site("record show ").given == [])
        #expect(site("record show hoop --zone ").source == .live(.zone))
        #expect(site("use ").source == .live(.database))
        #expect(site("fault clear ").source == .live(.fault))
    }

    @Test("shows the effect of each fault")
    func faults() {
        guard case .words(let faults) = site("fault add ").source else {
            Issue.record("faults are words")
            return
        }
        #expect(!faults.isEmpty && faults.allSatisfy { !$0.summary.isEmpty })
    }
}
