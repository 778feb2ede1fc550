import CloudKit
import Foundation
import MirroredStore

func openCircus(
    in folder: URL, model: URL, of container: CKContainer, _ settings: MirroredStore.Settings
) throws -> MirroredStore {
    try MirroredStore(
        folder: folder, model: model, configuration: "Cloud", container: container, settings: settings)
}

func hireClown(_ circus: MirroredStore) async throws -> MirroredObject.ID {
    try await circus.write { objects in
        var clown = try objects.make("Clown")
        try clown.set("shoeSize", to: Int16(60))
        try objects.save(clown)
        return clown.id
    }
}
