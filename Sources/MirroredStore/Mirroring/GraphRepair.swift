import GRDB

/// Makes one-to-one relationships agree on both sides, after two devices gave an object different partners.
///
/// Every device that has the same records comes to the same result, because the objects are visited in the
/// order of their names.
struct GraphRepair {
    let objects: ObjectWriter

    /// Repairs all one-to-one relationships.
    func run() throws {
        for root in objects.graph.layout.roots {
            for (_, relationship) in objects.graph.layout.toOnes(ofRoot: root).sorted(by: { $0.key < $1.key })
            where try !objects.graph.inverse(of: relationship).isToMany {
                try repair(relationship, of: root)
            }
        }
    }

    private func repair(_ relationship: StoreLayout.Relationship, of root: String) throws {
        let target = try objects.graph.layout.entity(relationship.target).root
        let (here, there) = (Graph.column(relationship.name), Graph.column(relationship.inverse))
        let rows = try Row.fetchAll(
            objects.graph.database,
            sql: """
                SELECT here.id, there.id
                FROM \(Graph.table(root)) AS here
                JOIN \(Graph.table(target)) AS there ON there.id = here.\(here)
                WHERE there.\(there) IS NOT here.id
                ORDER BY here.id
                """)
        for row in rows {
            let id = MirroredObject.ID(root: root, name: row[0])
            let partner = MirroredObject.ID(root: target, name: row[1])
            guard let object = try objects.graph.stored(id), let other = try objects.graph.stored(partner),
                object.targets[relationship.name] == partner.name,
                try objects.graph.place(of: id.name) == objects.graph.place(of: partner.name)
            else { continue }
            switch other.targets[relationship.inverse] {
            case nil: try objects.assign(id.name, to: relationship.inverse, of: partner)
            case id.name?: break
            default: try objects.assign(nil, to: relationship.name, of: id)
            }
        }
    }
}
