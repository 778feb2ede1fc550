import Cloudlet
import CommandShell
import Foundation
import Records
import RecordsWire

/// The command with which people prove that they own an address that is invited to a share.
struct AddressCommands {
    let session: CloudSession

    var commands: [CommandSpec] { [prove].needingAccount() }

    private var prove: CommandSpec {
        CommandSpec(
            ["address", "prove"],
            group: PeopleCommands.group,
            summary: "prove that you own an address that is invited to a share",
            arguments: [ArgumentSpec("ADDRESS", .text)],
            flags: [
                FlagSpec("share", "URL", .text, "ask for a code; the address is invited to this share"),
                FlagSpec("code", "CODE", .text, "the code that was sent to the address"),
            ],
            details: """
                ADDRESS is an e-mail address, or a phone number that begins with + and the country code.
                With --share, the server sends a code to the address, if it is invited and nobody has
                accepted with it. With --code, the address is linked to your account for good, and you
                can accept the share. A development server that sends no codes shows the code to the
                command, which uses it at once; it forgets such addresses when it stops.
                """,
            examples: [
                "address prove carol@example.org --share http://localhost:8080/share/0AbCdEf",
                "address prove carol@example.org --code 12345678",
            ]
        ) { arguments in
            let address = try Self.address(try arguments.requiredWord("ADDRESS"))
            switch (arguments.flags["share"], arguments.flags["code"]) {
            case (let share?, nil):
                let guid = try Self.shortGUID(share)
                return .work { try await requestCode(for: address, toJoin: guid) }
            case (nil, let code?): return .work { try await confirm(address, with: code.text) }
            case (_, let code):
                throw ShellError.usage(
                    "either --share or --code is required", at: code?.range, remedy: arguments.spec.usage)
            }
        }
    }

    private static func address(_ word: Word) throws -> ContactAddress {
        do throws(RecordError) {
            if word.text.hasPrefix("+") { return try ContactAddress(phone: word.text) }
            return try ContactAddress(email: word.text)
        } catch {
            throw ShellError.usage(
                "`\(word.text)` is not an e-mail address, nor a phone number that begins with +",
                at: word.range, remedy: "address prove you@example.org --share URL")
        }
    }

    /// The short GUID at the end of the URL of a share.
    private static func shortGUID(_ word: Word) throws -> String {
        if let url = URL(string: word.text), url.scheme != nil, url.pathComponents.count > 1 {
            return url.lastPathComponent
        }
        throw ShellError.usage(
            "`\(word.text)` is not the URL of a share", at: word.range,
            remedy: "ask the owner for the URL of the share")
    }

    private func requestCode(for address: ContactAddress, toJoin guid: String) async throws -> Answer {
        let place = await session.place
        let request = RequestAddressCode(
            container: place.container, environment: place.callEnvironment, shortGUID: guid, address: address)
        let token = try await session.signedIn().session.webAuthToken
        if let code = try await session.server.send(request, token: token).code {
            return try await confirm(address, with: code)
        }
        return Self.answer(
            address, isLinked: false,
            "if the address is invited, it gets a code; then: address prove \(address.value) --code CODE")
    }

    private func confirm(_ address: ContactAddress, with code: String) async throws -> Answer {
        let place = await session.place
        let request = ConfirmAddress(
            container: place.container, environment: place.callEnvironment, address: address, code: code)
        let token = try await session.signedIn().session.webAuthToken
        _ = try await session.server.send(request, token: token)
        return Self.answer(
            address, isLinked: true, "\(address.value) belongs to your account; accept the share now")
    }

    private static func answer(_ address: ContactAddress, isLinked: Bool, _ note: String) -> Answer {
        Answer.message(
            note,
            facts: [AnswerField("address", .text(address.value)), AnswerField("linked", .flag(isLinked))])
    }
}
