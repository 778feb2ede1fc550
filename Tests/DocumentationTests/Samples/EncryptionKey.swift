import CloudKit

func connection(to serverURL: URL, keyFile: URL) -> CloudConnection {
    var connection = CloudConnection(url: serverURL)
    connection.encryptionKey = CloudEncryptionKey(file: keyFile)
    return connection
}
