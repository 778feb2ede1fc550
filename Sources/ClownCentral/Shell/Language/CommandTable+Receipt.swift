// Owns the description of the commands about receipts and shoeboxes.
import Foundation

extension CommandTable {
    static let receiptCommands = [
        receiptAdd, receiptList, receiptEdit, receiptSave, receiptDelete, boxAdd, boxList, boxDelete,
    ]

    private static let group = "Receipts"
    private static let help = """
        RECEIPT is an identifier, or the beginning of a shop's name if only one receipt has it; SHOEBOX \
        likewise. They are on this device first; `sync` takes them to the others.
        """

    private static let receiptAdd = CommandSpec(
        path: ["receipt", "add"],
        group: group,
        summary: "keep what you paid",
        arguments: [ArgumentSpec("SHOP", .text), ArgumentSpec("AMOUNT", .number)],
        flags: [
            FlagSpec("date", "DATE", .moment, "when; now if not given"),
            FlagSpec("box", "SHOEBOX", .shoebox, "the shoebox that it goes into"),
            FlagSpec("photo", "FILE", .file, "a picture of it"),
        ],
        details: help,
        examples: ["receipt add 'Balloon World' 12.50 --photo receipt.jpg"],
        build: { arguments in
            let draft = ReceiptDraft(
                shop: try arguments.name("SHOP"), amount: try amount(try arguments.requiredWord("AMOUNT")),
                date: try arguments.moment("date"), box: arguments.flags["box"],
                photo: arguments.flags["photo"])
            return .personal(.receiptAdd(draft))
        }
    )

    private static func amount(_ word: Word) throws -> Double {
        guard word.text.wholeMatch(of: /[0-9]+(\.[0-9]{1,2})?/) != nil, let amount = Double(word.text),
            amount <= 1e12
        else {
            throw Complaint.usage(
                "an amount looks like 12.50: without a sign, and two figures at most after the point; the "
                    + "largest is 1000000000000", at: word.range)
        }
        return amount
    }

    private static let receiptList = CommandSpec(
        path: ["receipt", "list"],
        group: group,
        summary: "show your receipts, the latest first, and what they come to",
        flags: [FlagSpec("box", "SHOEBOX", .shoebox, "only those in that shoebox")],
        examples: ["receipt list", "receipt list --box 'Summer party'"],
        build: { .personal(.receiptList(box: $0.flags["box"])) }
    )

    private static let receiptEdit = CommandSpec(
        path: ["receipt", "edit"],
        group: group,
        summary: "correct a receipt",
        arguments: [ArgumentSpec("RECEIPT", .receipt)],
        flags: [
            FlagSpec("amount", "AMOUNT", .number, "what was paid"),
            FlagSpec("shop", "SHOP", .text, "where"),
        ],
        details: help,
        examples: ["receipt edit Balloon --amount 13.50"],
        build: { arguments in
            let receipt = try arguments.requiredWord("RECEIPT")
            let (amount, shop) = (try arguments.flags["amount"].map(amount), arguments.text("shop"))
            if amount == nil, shop == nil {
                throw Complaint.usage("say what changes: --amount or --shop", at: receipt.range)
            }
            return .personal(.receiptEdit(receipt: receipt, amount: amount, shop: shop))
        }
    )

    private static let receiptSave = CommandSpec(
        path: ["receipt", "save"],
        group: group,
        summary: "save the photo of a receipt to a file",
        arguments: [ArgumentSpec("RECEIPT", .receipt), ArgumentSpec("FILE", .file)],
        details: help,
        examples: ["receipt save Balloon /tmp/receipt.jpg"],
        build: {
            .personal(
                .receiptSave(receipt: try $0.requiredWord("RECEIPT"), file: try $0.requiredWord("FILE")))
        }
    )

    private static let receiptDelete = CommandSpec(
        path: ["receipt", "delete"],
        group: group,
        summary: "delete a receipt",
        arguments: [ArgumentSpec("RECEIPT", .receipt)],
        flags: [FlagSpec("yes", "", .nothing, "do not ask")],
        details: help,
        examples: ["receipt delete Balloon"],
        build: { .personal(.receiptDelete(receipt: try $0.requiredWord("RECEIPT"), isSure: $0.has("yes"))) }
    )

    private static let boxAdd = CommandSpec(
        path: ["shoebox", "add"],
        group: group,
        summary: "make a box for receipts",
        arguments: [ArgumentSpec("NAME", .text)],
        examples: ["shoebox add 'Summer party'"],
        build: { .personal(.boxAdd(name: try $0.name("NAME"))) }
    )

    private static let boxList = CommandSpec(
        path: ["shoebox", "list"],
        group: group,
        summary: "show your shoeboxes with what their receipts come to",
        examples: ["shoebox list"],
        build: { _ in .personal(.boxList) }
    )

    private static let boxDelete = CommandSpec(
        path: ["shoebox", "delete"],
        group: group,
        summary: "delete a shoebox with the receipts in it",
        arguments: [ArgumentSpec("SHOEBOX", .shoebox)],
        flags: [FlagSpec("yes", "", .nothing, "do not ask")],
        details: help,
        examples: ["shoebox delete 'Summer party'"],
        build: { .personal(.boxDelete(box: try $0.requiredWord("SHOEBOX"), isSure: $0.has("yes"))) }
    )
}
