// Owns what a model needs so that the repository can keep it.
import LocalReplica

protocol Storable: Identifiable, Sendable where ID == String {
    static var recordType: String { get }
    init(_ record: some ModelRecord)
    func write(to record: inout some ModelRecord)
}
