import Foundation
import MirroredStore
import Records

/// The positions at which this device was while its person wrote a post, in a store of their own that stays
/// on this device. A device measures many of them; a post gets one `Walk`.
struct PlaceStore: Sendable {
    let store: MirroredStore

    /// Opens the store in a folder, and creates it if necessary.
    ///
    /// - Throws: `MirroredStoreError`.
    init(folder: URL, settings: MirroredStore.Settings) throws {
        store = try MirroredStore(
            folder: folder, layout: try PostLayout.places(), container: nil, settings: settings)
    }

    /// Appends measured positions to the stored ones. Returns the number of all positions.
    func add(_ places: [Coordinate], to post: Post.ID) async throws -> Int {
        try await store.write { objects in
            let known = try objects.reader.places(of: post)
            let count = known.count + places.count
            guard count <= PostRules.maximumPlaces else {
                throw PostError.tooMany("places", limit: PostRules.maximumPlaces)
            }
            let next = (known.last?.get("number") ?? 0) + 1
            for (index, place) in places.enumerated() {
                var object = try objects.make("Place")
                try object.set("post", to: post)
                try object.set("number", to: next + index)
                try object.set("latitude", to: place.latitude)
                try object.set("longitude", to: place.longitude)
                try objects.save(object)
            }
            return count
        }
    }

    /// The positions of a post in the order in which they were measured.
    func places(of post: Post.ID) async throws -> [Coordinate] {
        try await store.read { objects in
            try objects.places(of: post).compactMap { place in
                guard let latitude: Double = place.get("latitude"),
                    let longitude: Double = place.get("longitude")
                else { return nil }
                return Coordinate(latitude: latitude, longitude: longitude)
            }
        }
    }

    /// Deletes the positions of a post.
    func delete(of post: Post.ID) async throws {
        try await store.write { objects in
            for place in try objects.reader.places(of: post) { try objects.delete(place.id) }
        }
    }
}

extension ObjectReader {
    fileprivate func places(of post: Post.ID) throws -> [MirroredObject] {
        try objects("Place", where: "CD_post = ?", [.string(post)], order: "CD_number, id")
    }
}
