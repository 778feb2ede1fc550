import CloudletShell
import CommandShell
import Foundation

/// The commands for receipts and shoeboxes, which are saved to the local replica and sent by a sync.
struct ReceiptCommands {
    let app: AppSession

    private static let group = "Receipts"
    private static let help = """
        RECEIPT and SHOEBOX are identifiers, or the beginning of a name that only one of them has. They \
        are stored on this device; `sync` exchanges them with your other devices.
        """

    var commands: [CommandSpec] { [add, list, edit, save, delete, boxAdd, boxList, boxDelete] }

    private var repository: PersonalRepository {
        get async throws { try await app.personalData().repository }
    }

    /// The parsed arguments of `receipt add`.
    private struct NewReceipt: Sendable {
        let shop: String
        let amount: Double
        let date: Date?
        let box: Word?
        let photo: Word?
    }

    private var add: CommandSpec {
        CommandSpec(
            ["receipt", "add"],
            group: Self.group,
            summary: "save a receipt",
            arguments: [ArgumentSpec("SHOP", .text), ArgumentSpec("AMOUNT", .number)],
            flags: [
                FlagSpec("date", "DATE", .moment, "when; now if not given"),
                FlagSpec("box", "SHOEBOX", .shoebox, "the shoebox that it goes into"),
                FlagSpec("photo", "FILE", .file, "a picture of it"),
            ],
            details: Self.help,
            examples: ["receipt add 'Balloon World' 12.50 --photo receipt.jpg"]
        ) { arguments in
            let new = NewReceipt(
                shop: try arguments.name("SHOP"),
                amount: try Self.amount(try arguments.requiredWord("AMOUNT")),
                date: try arguments.moment("date"), box: arguments.flags["box"],
                photo: arguments.flags["photo"])
            return .work { try await add(new) }
        }
    }

    private func add(_ new: NewReceipt) async throws -> Answer {
        let repository = try await repository
        var box: Shoebox?
        if let word = new.box { box = try await shoebox(word, in: repository) }
        var receipt = Receipt(
            id: await app.cloud.makeIdentifier("receipt"), shop: new.shop, amount: new.amount,
            date: new.date ?? app.environment.now(), shoeboxID: box?.id)
        let photo = try new.photo.map { try PhotoFile(app.environment.file($0), shownAs: $0.text) }
        try await repository.save(receipt, photo: photo?.url)
        receipt.photoByteCount = photo?.byteCount
        return Answer.receipts([receipt], boxes: try await repository.shoeboxes().models)
            .noting(try await app.unsent("saved"))
    }

    private static func amount(_ word: Word) throws -> Double {
        guard word.text.wholeMatch(of: /[0-9]+(\.[0-9]{1,2})?/) != nil, let amount = Double(word.text),
            amount <= 1e12
        else {
            throw ShellError.usage(
                "an amount looks like 12.50: without a sign, with at most two digits after the point; the "
                    + "largest is 1000000000000", at: word.range)
        }
        return amount
    }

    private var list: CommandSpec {
        CommandSpec(
            ["receipt", "list"],
            group: Self.group,
            summary: "show your receipts, the latest first, and their total",
            flags: [FlagSpec("box", "SHOEBOX", .shoebox, "only those in that shoebox")],
            examples: ["receipt list", "receipt list --box 'Summer party'"]
        ) { arguments in
            let word = arguments.flags["box"]
            return .work {
                let repository = try await repository
                var box: Shoebox?
                if let word { box = try await shoebox(word, in: repository) }
                let receipts = try await repository.receipts(shoebox: box?.id)
                let boxes = try await repository.shoeboxes()
                return Answer.receipts(receipts.models, boxes: boxes.models)
                    .skipping(receipts.unreadable + boxes.unreadable)
            }
        }
    }

    private var edit: CommandSpec {
        CommandSpec(
            ["receipt", "edit"],
            group: Self.group,
            summary: "correct a receipt",
            arguments: [ArgumentSpec("RECEIPT", .receipt)],
            flags: [
                FlagSpec("amount", "AMOUNT", .number, "what was paid"),
                FlagSpec("shop", "SHOP", .text, "where"),
            ],
            details: Self.help,
            examples: ["receipt edit Balloon --amount 13.50"]
        ) { arguments in
            let word = try arguments.requiredWord("RECEIPT")
            let (amount, shop) = (try arguments.flags["amount"].map(Self.amount), arguments.text("shop"))
            if amount == nil, shop == nil {
                throw ShellError.usage(
                    "`receipt edit` needs a change", at: word.range, remedy: "give --amount or --shop")
            }
            return .work {
                let repository = try await repository
                var receipt = try await receipt(word, in: repository)
                receipt.amount = amount ?? receipt.amount
                receipt.shop = shop ?? receipt.shop
                try await repository.save(receipt)
                return Answer.receipts([receipt], boxes: try await repository.shoeboxes().models)
                    .noting(try await app.unsent("changed"))
            }
        }
    }

    private var save: CommandSpec {
        CommandSpec(
            ["receipt", "save"],
            group: Self.group,
            summary: "save the photo of a receipt to a file",
            arguments: [ArgumentSpec("RECEIPT", .receipt), ArgumentSpec("FILE", .file)],
            details: Self.help,
            examples: ["receipt save Balloon /tmp/receipt.jpg"]
        ) { arguments in
            let (word, file) = (try arguments.requiredWord("RECEIPT"), try arguments.requiredWord("FILE"))
            return .work { try await save(word, to: file) }
        }
    }

    private func save(_ word: Word, to file: Word) async throws -> Answer {
        let repository = try await repository
        let receipt = try await receipt(word, in: repository)
        guard let photo = try await repository.photo(of: receipt.id) else {
            throw ShellError(
                code: "noFile", message: "the receipt of \(receipt.shop) has no photo",
                remedy: "receipt list, which shows the receipts that have one")
        }
        return try app.save(try Data(contentsOf: photo), to: file)
    }

    private var delete: CommandSpec {
        CommandSpec(
            ["receipt", "delete"],
            group: Self.group,
            summary: "delete a receipt",
            arguments: [ArgumentSpec("RECEIPT", .receipt)],
            flags: [FlagSpec("yes", "", .nothing, "do not ask")],
            details: Self.help,
            examples: ["receipt delete Balloon"]
        ) { arguments in
            let (word, isSure) = (try arguments.requiredWord("RECEIPT"), arguments.has("yes"))
            return .work {
                let receipt = try await receipt(word, in: try await repository)
                return try await app.deletePersonal(
                    [receipt.id], in: PersonalRepository.Zone.receipts, "the receipt of \(receipt.shop)",
                    isSure: isSure)
            }
        }
    }

    // MARK: Shoeboxes

    private var boxAdd: CommandSpec {
        CommandSpec(
            ["shoebox", "add"],
            group: Self.group,
            summary: "create a box for receipts",
            arguments: [ArgumentSpec("NAME", .text)],
            examples: ["shoebox add 'Summer party'"]
        ) { arguments in
            let name = try arguments.name("NAME")
            return .work {
                let repository = try await repository
                let box = Shoebox(id: await app.cloud.makeIdentifier("shoebox"), name: name)
                try await repository.save(box)
                return Answer.shoeboxes([box], receipts: []).noting(try await app.unsent("created"))
            }
        }
    }

    private var boxList: CommandSpec {
        CommandSpec(
            ["shoebox", "list"],
            group: Self.group,
            summary: "show your shoeboxes with the totals of their receipts",
            examples: ["shoebox list"]
        ) { _ in
            .work {
                let repository = try await repository
                let (boxes, receipts) = (try await repository.shoeboxes(), try await repository.receipts())
                return Answer.shoeboxes(boxes.models, receipts: receipts.models)
                    .skipping(boxes.unreadable + receipts.unreadable)
            }
        }
    }

    private var boxDelete: CommandSpec {
        CommandSpec(
            ["shoebox", "delete"],
            group: Self.group,
            summary: "delete a shoebox with the receipts in it",
            arguments: [ArgumentSpec("SHOEBOX", .shoebox)],
            flags: [FlagSpec("yes", "", .nothing, "do not ask")],
            details: Self.help,
            examples: ["shoebox delete 'Summer party'"]
        ) { arguments in
            let (word, isSure) = (try arguments.requiredWord("SHOEBOX"), arguments.has("yes"))
            return .work {
                let repository = try await repository
                let box = try await shoebox(word, in: repository)
                let inside = try await repository.receipts(shoebox: box.id).models
                let with = inside.isEmpty ? "" : " with \(Answer.counted(inside.count, "receipt"))"
                return try await app.deletePersonal(
                    inside.map(\.id) + [box.id], in: PersonalRepository.Zone.receipts,
                    "the shoebox \(box.name)\(with)", isSure: isSure)
            }
        }
    }

    // MARK: Finding by words

    private func receipt(_ word: Word, in repository: PersonalRepository) async throws -> Receipt {
        let all = try await repository.receipts().models
        return try word.pick("receipt", from: all, remedy: "receipt list", id: \.id, name: \.shop)
    }

    private func shoebox(_ word: Word, in repository: PersonalRepository) async throws -> Shoebox {
        let all = try await repository.shoeboxes().models
        return try word.pick("shoebox", from: all, remedy: "shoebox list", id: \.id, name: \.name)
    }
}
