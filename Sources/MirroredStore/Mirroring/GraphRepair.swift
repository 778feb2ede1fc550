import GRDB
import ObjectModel

/// Makes the two sides of one-to-one relationships consistent, after two devices gave an object different
/// partners.
///
/// All devices with the same records get the same result, because the objects are visited in the order of
/// their names.
struct GraphRepair {
    let objects: ObjectWriter

    /// Repairs all one-to-one relationships.
    func run() throws {
        let layout = objects.graph.layout
        for root in layout.roots {
            for (entity, relationship) in layout.oneToOnes(ofRoot: root) {
                try repair(relationship, of: try layout.entity(entity))
            }
        }
    }

    private func repair(_ relationship: StoreLayout.Relationship, of source: StoreLayout.Resolved) throws {
        let target = try objects.graph.layout.entity(relationship.target)
        let (here, there) = (Graph.column(relationship.name), Graph.column(relationship.inverse))
        let rows = try Row.fetchAll(
            objects.graph.database,
            sql: """
                SELECT here.id, there.id
                FROM \(Graph.table(source.root)) AS here
                JOIN \(Graph.table(target.root)) AS there ON there.id = here.\(here)
                WHERE there.\(there) IS NOT here.id
                    AND here.entity IN (\(Graph.list(of: source)))
                    AND there.entity IN (\(Graph.list(of: target)))
                ORDER BY here.id
                """)
        for row in rows {
            let id = MirroredObject.ID(root: source.root, name: row[0])
            let partner = MirroredObject.ID(root: target.root, name: row[1])
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
