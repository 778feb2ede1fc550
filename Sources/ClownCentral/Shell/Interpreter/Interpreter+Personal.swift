// Owns doing the commands about notes, shoeboxes and receipts.
import Cloudlet
import CommandText
import Foundation
import LocalReplica

extension Interpreter {
    func answer(_ command: PersonalCommand) async throws -> Answer {
        if case .sync(let command) = command { return try await answer(command) }
        let mine = try personal().repository
        switch command {
        case .noteAdd, .noteList, .noteEdit, .noteDelete: return try await notes(command, in: mine)
        case .noteFill(let count): return try await fill(count, in: mine)
        case .boxAdd(let name):
            let box = Shoebox(id: identifiers.next("shoebox"), name: name)
            try await mine.save(box)
            return Answer.shoeboxes([box], receipts: [])
        case .boxList:
            let (boxes, receipts) = (try await mine.shoeboxes(), try await mine.receipts())
            return Answer.shoeboxes(boxes.models, receipts: receipts.models)
                .skipping(boxes.unreadable + receipts.unreadable)
        case .boxDelete(let word, let isSure):
            let box = try await shoebox(word, in: mine)
            let inside = try await mine.receipts(shoebox: box.id).models
            let with = inside.isEmpty ? "" : " with \(Answer.counted(inside.count, "receipt"))"
            return try await delete(
                inside.map(\.id) + [box.id], in: PersonalRepository.Zone.receipts,
                "the shoebox \(box.name)\(with)", isSure: isSure)
        default: return try await receipts(command, in: mine)
        }
    }

    private func notes(_ command: PersonalCommand, in mine: PersonalRepository) async throws -> Answer {
        switch command {
        case .noteAdd(let text, let word):
            let party = try await partyMark(word, in: mine)
            let note = Note(
                id: identifiers.next("note"), text: text, partyID: party?.id, partyName: party?.name)
            try await mine.save(note)
            return Answer.note(note, "noted")
        case .noteList(let word):
            let party = try await partyMark(word, in: mine)
            let notes = try await mine.notes(party: party?.id)
            return Answer.notes(notes.models).skipping(notes.unreadable)
        case .noteEdit(let word, let text):
            var note = try await note(word, in: mine)
            note.text = text
            try await mine.save(note)
            return Answer.note(note, "changed")
        case .noteDelete(let word, let isSure):
            let note = try await note(word, in: mine)
            return try await delete(
                [note.id], in: PersonalRepository.Zone.notes, "the note `\(note.text)`", isSure: isSure)
        default: return Answer.talk("")
        }
    }

    private func receipts(_ command: PersonalCommand, in mine: PersonalRepository) async throws -> Answer {
        switch command {
        case .receiptAdd(let draft): return try await add(draft, to: mine)
        case .receiptEdit(let word, let amount, let shop):
            var receipt = try await receipt(word, in: mine)
            receipt.amount = amount ?? receipt.amount
            receipt.shop = shop ?? receipt.shop
            try await mine.save(receipt)
            return Answer.receipts([receipt], boxes: try await mine.shoeboxes().models)
        case .receiptSave(let word, let file):
            let receipt = try await receipt(word, in: mine)
            guard let photo = try await mine.photo(of: receipt.id) else {
                throw Complaint(code: "noFile", message: "the receipt of \(receipt.shop) has no photo")
            }
            guard try mayWrite(tools.file(file), shownAs: file.text) else {
                return Answer.talk("nothing was written")
            }
            do {
                try Data(contentsOf: photo).writeForUser(to: tools.file(file))
            } catch {
                throw Complaint(
                    code: "badFile", message: "\(file.text) cannot be written", span: file.range)
            }
            return Answer.talk("saved to \(file.text)", facts: [Field("file", .text(file.text))])
        case .receiptDelete(let word, let isSure):
            let receipt = try await receipt(word, in: mine)
            return try await delete(
                [receipt.id], in: PersonalRepository.Zone.receipts, "the receipt of \(receipt.shop)",
                isSure: isSure)
        case .receiptList(let word):
            var box: Shoebox?
            if let word { box = try await shoebox(word, in: mine) }
            let (receipts, boxes) = (
                try await mine.receipts(shoebox: box?.id), try await mine.shoeboxes()
            )
            return Answer.receipts(receipts.models, boxes: boxes.models)
                .skipping(receipts.unreadable + boxes.unreadable)
        default: return Answer.talk("")
        }
    }

    private func add(_ draft: ReceiptDraft, to mine: PersonalRepository) async throws -> Answer {
        var box: Shoebox?
        if let word = draft.box { box = try await shoebox(word, in: mine) }
        var receipt = Receipt(
            id: identifiers.next("receipt"), shop: draft.shop, amount: draft.amount,
            date: draft.date ?? tools.now(), shoeboxID: box?.id)
        let photo = try draft.photo.map { try PhotoFile(tools.file($0), shownAs: $0.text) }
        try await mine.save(receipt, photo: photo?.url)
        receipt.photoByteCount = photo?.byteCount
        return Answer.receipts([receipt], boxes: try await mine.shoeboxes().models)
    }

    private func fill(_ count: Int, in mine: PersonalRepository) async throws -> Answer {
        for start in stride(from: 0, to: count, by: 1000) {
            let notes = (start..<min(count, start + 1000)).map { number in
                Note(id: identifiers.next("note"), text: "Note \(number + 1)")
            }
            try await mine.replica.write { writer in
                for note in notes {
                    let id = RecordID(name: note.id, zone: PersonalRepository.Zone.notes)
                    var record = ReplicaRecord(type: Note.recordType, id: id)
                    note.write(to: &record)
                    try writer.save(record)
                }
            }
        }
        return Answer.talk("wrote \(Answer.counted(count, "note"))", facts: [Field("written", .count(count))])
    }

    private func delete(
        _ names: [String], in zone: String, _ what: String, isSure: Bool
    ) async throws -> Answer {
        let mine = try personal().repository
        if !isSure, let confirm = tools.confirm, try !confirm("delete \(what)?") {
            return Answer.talk("nothing was deleted")
        }
        let records = try await mine.delete(names, in: zone)
        session.undo = Session.Undo(what: what) {
            try await mine.restore(records)
            return records.count
        }
        return Answer.talk(
            "deleted \(what); `undo` brings it back", facts: [Field("deleted", .count(records.count))])
    }

    /// Brings back what was deleted last.
    func undo() async throws -> Answer {
        guard let undo = session.undo else {
            throw Complaint(code: "nothingToUndo", message: "nothing was deleted that could be brought back")
        }
        let count = try await undo.restore()
        session.undo = nil
        let facts = [Field("restored", .count(count)), Field("takenOver", .count(undo.others))]
        guard undo.others > 0 else { return Answer.talk("\(undo.what) is back", facts: facts) }
        return Answer.talk(
            "\(undo.what) is back; \(Answer.counted(undo.others, "record")) that somebody else had made "
                + "can only come back as yours", facts: facts)
    }

    // MARK: What words stand for

    /// The party that a word names; without a network one that notes are about already, or its identifier.
    private func partyMark(
        _ word: Word?, in mine: PersonalRepository
    ) async throws -> (id: Party.ID, name: String?)? {
        guard let word else { return nil }
        do {
            let party = try await party(word)
            return (party.id, party.name)
        } catch let error as CKError where error.code == .networkUnavailable || error.code == .networkFailure
        {
            let known = try await mine.notes().models.first {
                $0.partyID == word.text || $0.partyName?.lowercased() == word.text.lowercased()
            }
            if let known, let id = known.partyID { return (id, known.partyName) }
            if word.text.hasPrefix("party-") { return (word.text, nil) }
            throw error
        }
    }

    private func note(_ word: Word, in mine: PersonalRepository) async throws -> Note {
        try pick(word, "note", "note list", from: try await mine.notes().models, id: \.id, name: \.text)
    }

    private func receipt(_ word: Word, in mine: PersonalRepository) async throws -> Receipt {
        let all = try await mine.receipts().models
        return try pick(word, "receipt", "receipt list", from: all, id: \.id, name: \.shop)
    }

    private func shoebox(_ word: Word, in mine: PersonalRepository) async throws -> Shoebox {
        let all = try await mine.shoeboxes().models
        return try pick(word, "shoebox", "shoebox list", from: all, id: \.id, name: \.name)
    }
}
