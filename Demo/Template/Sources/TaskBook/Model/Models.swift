/// Everything that the app keeps, in the order of its commands.
enum Models {
    static let all: [any Model.Type] = [Task.self, Project.self]
}
