import Foundation

/// The processor time of processes on this machine, which only Linux reports.
enum ProcessorTime {
    /// The seconds that all threads of a process have used so far, those of the system calls included. nil if
    /// the process has ended, has another name, or if the system does not report it.
    ///
    /// - Parameter name: The name of its program; nil: any.
    static func seconds(of process: Int32, named name: String? = nil) -> Double? {
        let path = "/proc/\(process)/stat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return seconds(in: text, named: name)
    }

    /// The milliseconds per request in a measurement.
    ///
    /// - Throws: `RowSkipped` if the system does not report processor times, or if the measurement was too
    ///   short for them.
    static func milliseconds(from start: Double?, to end: Double?, for requests: Int) throws -> Double {
        guard let start, let end else {
            throw RowSkipped("this system does not report the processor time of a process")
        }
        guard end > start else {
            throw RowSkipped("the processor time of \(requests) requests is too short; use a larger --scale")
        }
        return (end - start) * 1000 / Double(requests)
    }

    /// Reads a line such as `17 (cloudlet) S 1 …`. The name may contain spaces and parentheses. The 12th and
    /// 13th word after it are the ticks in user mode and in system mode.
    private static func seconds(in text: String, named name: String?) -> Double? {
        guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end
        else { return nil }
        if let name, text[start..<end].dropFirst() != name { return nil }
        let fields = text[end...].dropFirst().split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            return nil
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
