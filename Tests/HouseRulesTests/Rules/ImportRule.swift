/// Checks imports against the room table.
enum ImportRule {
    static func findings(in file: SourceFile, table: [Room] = roomTable) -> [Finding] {
        guard file.path.hasPrefix("Sources/") else { return [] }
        let place = file.path.dropFirst("Sources/".count)
        let rooms = table.filter { place.hasPrefix($0.folder + "/") }
        guard let room = rooms.max(by: { $0.folder.utf8.count < $1.folder.utf8.count }) else {
            return [
                Finding(
                    path: file.path, line: 1, problem: "the room table has no row for the folder",
                    remedy: "Move the file, or add the folder to Tests/HouseRulesTests/Rules/RoomTable.swift")
            ]
        }
        return file.code(with: ["import "]).compactMap { index, line in
            guard let module = module(in: line), !room.mayImport.contains(module) else { return nil }
            return Finding(
                path: file.path, line: index + 1, problem: "\(room.folder) may not import \(module)",
                remedy: "Move the code to a room that may, or change RoomTable and say why in the commit")
        }
    }

    /// The module that a line imports. An import of one declaration counts as its module.
    static func module(in line: String) -> String? {
        let kind = /(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?/
        let pattern = /\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?/
        guard let start = line.prefixMatch(of: pattern), line[start.range.upperBound...].hasPrefix("import ")
        else { return nil }
        let names = line[start.range.upperBound...].dropFirst("import ".count)
        let name = names.prefixMatch(of: kind).map { names[$0.range.upperBound...] } ?? names[...]
        return name.prefixMatch(of: /\w+/).map { String($0.output) }
    }
}
