import CloudKit
import Foundation
import MirroredStore

/// Posts are mirrored; samples of a sensor stay on the device until they are summed up.
func openStores(
    in folder: URL, posts: StoreLayout, samples: StoreLayout, of container: CKContainer,
    _ settings: MirroredStore.Settings
) throws -> MirroredStores {
    try MirroredStores(
        folder: folder,
        [
            StoreDescription("cloud", layout: posts, container: container),
            StoreDescription("shared", layout: posts, container: container, scope: .shared),
            StoreDescription("local", layout: samples),
        ], settings: settings)
}

/// Replaces the samples in the store "local" by one post in the store "cloud".
func sumUp(_ stores: MirroredStores) async throws {
    try await stores.write { objects in
        let samples = try objects.reader.objects("Sample")
        var post = try objects.make("Post")
        try post.set("title", to: "\(samples.count) samples")
        try objects.save(post)
        for sample in samples { try objects.delete(sample.id) }
    }
}
