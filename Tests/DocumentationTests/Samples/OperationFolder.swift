import CloudKit

func keepOperations(of connection: inout CloudConnection, in folder: URL) {
    connection.operationFolder = folder.appendingPathComponent("operations")
}
