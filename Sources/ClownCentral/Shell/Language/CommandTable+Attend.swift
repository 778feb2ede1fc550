// Owns the description of the command that joins a party.
import Foundation

extension CommandTable {
    static let attendCommands = [attend]

    private static let attend = CommandSpec(
        path: ["attend"],
        group: "Parties",
        summary: "join a party, by a record of one's own or by a list on the party",
        arguments: [ArgumentSpec("PARTY", .party), ArgumentSpec("NAME", .text, .optional)],
        flags: [
            FlagSpec("by-array", "", .nothing, "add the name to a list on the party: the way not to go"),
            FlagSpec("merge", "", .nothing, "with --by-array: if somebody was faster, add to their version"),
        ],
        details: """
            NAME is the person who is signed in if it is not given.
            With --by-array the change is made to the version that this device saw last, with `party show`.
            If the server has a newer one, the answer is a conflict with the three versions of the record.
            \(partyHelp)
            """,
        examples: ["attend Coffee", "attend Coffee John --by-array --merge"],
        build: { arguments in
            let byArray = arguments.has("by-array")
            let merging = arguments.has("merge")
            if merging, !byArray {
                let span = arguments.flags["merge"]?.range
                throw Complaint.usage("--merge goes with --by-array; else there is no conflict", at: span)
            }
            return .attend(
                AttendRequest(
                    party: try arguments.requiredWord("PARTY"),
                    name: try arguments.word("NAME").map({ try ParsedArguments.checkedName($0) }),
                    way: byArray ? .array(merging: merging) : .ownRecord
                )
            )
        }
    )
}
