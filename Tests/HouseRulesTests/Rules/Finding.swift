import Foundation
import Testing

/// A broken rule at a line of a file.
struct Finding: Equatable, Sendable, CustomStringConvertible {
    let path: String
    let line: Int
    let problem: String
    let remedy: String

    var description: String { "\(path):\(line): \(problem). \(remedy)." }
}

extension [Finding] {
    /// Fails the running test once for each finding, at the line that broke the rule.
    func report() {
        for finding in self {
            let place = SourceLocation(
                fileID: finding.path.contains("/") ? finding.path : "./" + finding.path,
                filePath: House.root.path + "/" + finding.path, line: Swift.max(1, finding.line), column: 1)
            Issue.record("\(finding)", sourceLocation: place)
        }
    }
}
