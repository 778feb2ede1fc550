import Foundation
import NIOCore
import NIOHTTP1
import Records

extension BucketClient: ObjectBucket {
    func attributes(of key: String) async throws -> ObjectAttributes? {
        let answer = try await send(Request(method: .HEAD, key: key))
        if answer.isMissing { return nil }
        guard let size = answer.headers.first(name: "content-length").flatMap({ Int64($0) }), size >= 0,
            let tag = answer.tag
        else { throw malformed }
        return ObjectAttributes(key: key, size: size, tag: tag, changedAt: now())
    }

    func put(_ bytes: ByteBuffer, as key: String) async throws -> String {
        let answer = try await send(Request(method: .PUT, key: key, body: bytes))
        guard !answer.isMissing, let tag = answer.tag else { throw malformed }
        return tag
    }

    func putIfMissing(_ bytes: ByteBuffer, as key: String) async throws {
        let condition = [(name: "if-none-match", value: "*")]
        let answer = try await send(Request(method: .PUT, key: key, headers: condition, body: bytes))
        if answer.status == 404 { throw malformed }
    }

    func get(_ key: String, in range: Range<Int64>, ifTagged tag: String?) async throws -> ByteBuffer? {
        if range.isEmpty { return ByteBuffer() }
        var request = Request(method: .GET, key: key)
        request.headers = [("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
        if let tag { request.headers.append(("if-match", "\"\(tag)\"")) }
        // The body of an error may be longer than a short range.
        request.answerBytes = max(range.count, request.answerBytes)
        let answer = try await send(request)
        if answer.isMissing { return nil }
        guard answer.body.readableBytes <= range.count else { throw malformed }
        return answer.body
    }

    func copy(_ key: String, ifTagged tag: String, to target: String) async throws -> String? {
        let source = "/\(address.bucket)/" + URLText.encode(address.prefix + key, keepsSlashes: true)
        var request = Request(method: .PUT, key: target)
        request.headers = [("x-amz-copy-source", source), ("x-amz-copy-source-if-match", "\"\(tag)\"")]
        request.wantsXML = true
        let answer = try await send(request)
        if answer.isMissing { return nil }
        guard let copy = answer.xml?["ETag"] else { throw malformed }
        return Self.unquoted(copy)
    }

    func delete(_ key: String) async throws {
        _ = try await send(Request(method: .DELETE, key: key))
    }

    func delete(_ key: String, before deadline: Date) async -> ObjectDeletion {
        var request = Request(method: .DELETE, key: key)
        request.deadline = deadline
        var deletion = ObjectDeletion()
        do {
            _ = try await send(request, hasGivenUp: &deletion.mayFollow)
        } catch {
            deletion.failure = error
        }
        return deletion
    }

    func list(_ prefix: String, after position: String?) async throws -> ObjectPage {
        var request = Request(method: .GET, query: [("list-type", "2"), ("prefix", address.prefix + prefix)])
        if let position { request.query.append(("continuation-token", position)) }
        request.answerBytes = 8 * 1024 * 1024
        let answer = try await send(request)
        guard !answer.isMissing, let root = answer.xml, root.name == "ListBucketResult" else {
            throw malformed
        }
        let objects = try root.all("Contents").map { element in
            guard let key = element["Key"], key.hasPrefix(address.prefix),
                let size = element["Size"].flatMap({ Int64($0) }), size >= 0,
                let changedAt = element["LastModified"].flatMap(Self.date)
            else { throw malformed }
            return ObjectAttributes(
                key: String(key.dropFirst(address.prefix.count)), size: size,
                tag: Self.unquoted(element["ETag"] ?? ""), changedAt: changedAt)
        }
        let next = root["IsTruncated"] == "true" ? root["NextContinuationToken"] : nil
        // A list that does not advance would never end.
        if next != nil, next == position || objects.isEmpty { throw malformed }
        return ObjectPage(objects: objects, next: next)
    }

    // MARK: Uploads in parts

    func beginParts(of key: String) async throws -> String {
        let answer = try await send(Request(method: .POST, key: key, query: [("uploads", "")]))
        guard let id = answer.xml?["UploadId"], !id.isEmpty else { throw malformed }
        return id
    }

    func putPart(_ number: Int, _ bytes: ByteBuffer, of upload: PartedUpload) async throws -> String {
        let query = [("partNumber", String(number)), ("uploadId", upload.id)]
        let answer = try await send(Request(method: .PUT, key: upload.key, query: query, body: bytes))
        guard !answer.isMissing, let tag = answer.tag else { throw malformed }
        return tag
    }

    func join(_ tags: [String], of upload: PartedUpload) async throws -> String {
        let parts = tags.enumerated().map { number, tag in
            "<Part><PartNumber>\(number + 1)</PartNumber><ETag>&quot;\(tag)&quot;</ETag></Part>"
        }
        let body = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        var request = Request(method: .POST, key: upload.key, query: [("uploadId", upload.id)])
        request.body = ByteBuffer(string: body)
        request.wantsXML = true
        let answer = try await send(request)
        if !answer.isMissing, let tag = answer.xml?["ETag"] { return Self.unquoted(tag) }
        // The upload does not exist any more if an earlier attempt joined it and its answer was lost.
        guard answer.isMissing, let joined = try await attributes(of: upload.key) else { throw malformed }
        return joined.tag
    }

    func abort(_ upload: PartedUpload) async throws {
        _ = try await send(Request(method: .DELETE, key: upload.key, query: [("uploadId", upload.id)]))
    }

    func partedUploads(_ prefix: String) async throws -> [PartedUpload] {
        var uploads: [PartedUpload] = []
        var position: (key: String, id: String)?
        for _ in 0..<Self.uploadPages {
            let page = try await page(ofUploads: prefix, after: position)
            uploads += uploaded(page)
            guard page["IsTruncated"] == "true", let key = page["NextKeyMarker"],
                let id = page["NextUploadIdMarker"]
            else { break }
            if let position, position == (key, id) { throw malformed }
            position = (key, id)
        }
        return uploads
    }

    /// The largest number of pages of uploads, each with up to 1,000, that are read at once.
    private static let uploadPages = 10

    private func page(
        ofUploads prefix: String, after position: (key: String, id: String)?
    ) async throws -> AnswerElement {
        var request = Request(method: .GET, query: [("uploads", ""), ("prefix", address.prefix + prefix)])
        if let position {
            request.query += [("key-marker", position.key), ("upload-id-marker", position.id)]
        }
        request.answerBytes = 8 * 1024 * 1024
        let answer = try await send(request)
        guard !answer.isMissing, let root = answer.xml, root.name == "ListMultipartUploadsResult" else {
            throw malformed
        }
        return root
    }

    private func uploaded(_ page: AnswerElement) -> [PartedUpload] {
        page.all("Upload").compactMap { element in
            guard let key = element["Key"], key.hasPrefix(address.prefix), let id = element["UploadId"],
                let beganAt = element["Initiated"].flatMap(Self.date)
            else { return nil }
            return PartedUpload(key: String(key.dropFirst(address.prefix.count)), id: id, beganAt: beganAt)
        }
    }

    private static func date(_ text: String) -> Date? {
        let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? exact.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }
}
