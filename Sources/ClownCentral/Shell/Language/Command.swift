// Owns what can be asked of the shell, one case a command, with arguments that are already understood.
import Foundation

/// A command as a value: parsed, checked, and not yet done.
enum Command: Equatable, Sendable {
    case partyCreate(PartyDraft)
    case partyList(PartyFilter)
    case partyShow(party: Word)
    case partyEdit(party: Word, changes: [PartyChange])
    case partyDelete(party: Word, isSure: Bool)
    case clownAssign(name: String, party: Word, act: String?)
    case clownList(party: Word?)
    case clownRemove(clown: Word)
    case photo(PhotoCommand)
    case attend(AttendRequest)
    case card(CardCommand)
    case personal(PersonalCommand)
    case look(LookCommand)
    case zone(ZoneCommand)
    case app(AppCommand)
    case push(PushCommand)
    case treeSave(name: String, isJumbled: Bool)
    case batchSave(count: Int, isOneByOne: Bool)
    case fault(FaultCommand)
    case record(RecordCommand)
    case operate(OperatorCommand)
    case people(PeopleCommand)
    case load(LoadCommand)
    case shell(ShellCommand)
    case seed(set: Word?)
    case actAs(person: String)
    case useDevice(String, profile: DeviceProfile?)
    case signOut
    case status
    case limits
    case version
    case help(topic: [String])
    case expect(Expectation)
    case quit(code: Int32)
}

extension Command {
    /// Whether it only talks about the shell, so that a rehearsal may do it.
    var isHarmless: Bool {
        switch self {
        case .help, .version, .quit: true
        case .shell(.read), .shell(.set), .shell(.favouriteRun), .shell(.favourites), .shell(.config),
            .shell(.clear):
            true
        default: false
        }
    }
}
