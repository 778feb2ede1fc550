// Owns the rule that imports obey the room table.

enum ImportRule {
    static func findings(in file: SourceFile, table: [Room] = roomTable) -> [Finding] {
        guard file.path.hasPrefix("Sources/") else { return [] }
        let place = file.path.dropFirst("Sources/".count)
        guard let room = table.filter({ place.hasPrefix($0.folder + "/") }).max(by: { $0.depth < $1.depth })
        else {
            return [
                Finding(
                    path: file.path, line: 1, problem: "this folder is no room of the house",
                    remedy:
                        "Move the file into a room, or add the room to the architecture page and to RoomTable"
                )
            ]
        }
        return imports(of: file).filter { !room.mayImport.contains($0.module) }.map { found in
            Finding(
                path: file.path, line: found.line,
                problem: "\(room.folder) may not import \(found.module)",
                remedy: "Move what needs it to a room that may, or improve the table in the open"
            )
        }
    }

    /// The modules a file imports. An import of one declaration counts as its module.
    static func imports(of file: SourceFile) -> [(module: String, line: Int)] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        return file.tokens.indices.compactMap { place in
            guard file.text(place) == "import", beginsStatement(place, in: file) else { return nil }
            let name = kinds.contains(file.text(place + 1)) ? place + 2 : place + 1
            guard file.tokens.indices.contains(name) else { return nil }
            return (file.text(name), file.tokens[place].line)
        }
    }

    /// Whether only attributes and an access level stand before the word on its line.
    private static func beginsStatement(_ place: Int, in file: SourceFile) -> Bool {
        let line = file.tokens[place].line
        let levels: Set = ["public", "package", "internal", "fileprivate", "private"]
        let before = file.tokens[..<place].reversed().prefix { $0.line == line }
        return before.allSatisfy { levels.contains($0.text) } || before.last?.text == "@"
    }
}

extension Room {
    fileprivate var depth: Int { folder.utf8.count }
}
