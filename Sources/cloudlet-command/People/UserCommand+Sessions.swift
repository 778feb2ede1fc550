import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire

struct UserSetPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-password", abstract: "Replace a person's password, and end all sessions.",
        discussion: "Reads the password from the first line of standard input; a terminal hides it."
    )

    @Argument(help: "The name or the e-mail address to sign in with.", completion: .people)
    var name: String

    @Flag(help: "Remove the password: the person then signs in by name only, on an open server.")
    var none = false

    @Flag(help: "Read the password from the first line of standard input, which is the default.")
    var passwordStdin = false

    @OptionGroup var options: OperatorOptions

    func validate() throws {
        if none, passwordStdin {
            throw ValidationError("--none and --password-stdin exclude each other; give one of them.")
        }
    }

    func run() async throws {
        let password = none ? nil : try PasswordInput.read()
        try await options.call(SetPersonPassword(name, password: password)) { _ in
            Listing(notes: ["\(name) has \(none ? "no" : "a new") password, and is signed out everywhere"])
        }
    }
}

struct UserSignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "End all sessions of a person."
    )

    @Argument(help: "The name or the e-mail address to sign in with.", completion: .people)
    var name: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(SignOutPerson(name)) { _ in
            Listing(notes: ["\(name) is signed out everywhere"])
        }
    }
}

struct UserDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a person with all private data.",
        discussion: """
            Deletes the account, the sessions and the private databases in every container. Records \
            that the person saved in public databases remain, without the person's name. This cannot \
            be undone.
            """
    )

    @Argument(help: "The name or the e-mail address to sign in with.", completion: .people)
    var name: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let count = try await options.answer(to: ReadPerson(name)).containers.count
        let what = "\(name), with the private data in \(count) container\(count == 1 ? "" : "s")"
        try confirmation.ask("delete " + what)
        try await options.call(DeletePerson(name)) { _ in Listing(notes: ["deleted " + what]) }
    }
}

/// Reads a password from standard input.
enum PasswordInput {
    /// The first line of standard input. At a terminal it asks for the password and does not display it.
    static func read() throws -> String {
        let isTerminal = isatty(STDIN_FILENO) == 1
        if isTerminal { StandardError.write("Password: ") }
        let line = isTerminal ? Question.readSecret() : readLine()
        if let line, !line.isEmpty { return line }
        throw RecordError(
            .badRequest, "standard input has no password", nextStep: "pipe it in: … < password.txt"
        )
    }
}
