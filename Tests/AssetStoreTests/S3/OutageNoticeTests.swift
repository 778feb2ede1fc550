import Testing

@testable import AssetStoreS3

@Suite("Notices about an object store that fails")
struct OutageNoticeTests {
    /// The texts for the operator after requests at the given seconds, each with its failure or nil.
    private func told(_ requests: [(second: Int, failure: String?)]) -> [String?] {
        var notice = OutageNotice()
        var texts: [String?] = []
        for (second, failure) in requests {
            texts.append(notice.note(failure: failure, at: .seconds(second)))
        }
        return texts
    }

    @Test("The first failure is told, and the first answer a minute after the last failure")
    func once() {
        let texts = told([(0, nil), (5, "one"), (10, "two"), (69, nil), (70, nil), (71, nil), (72, "three")])
        #expect(texts == [nil, "one", nil, nil, "the object store answers again", nil, "three"])
    }

    @Test("Failures within a minute of each other are told once, also if requests are answered in between")
    func sometimes() {
        let texts = told((0..<1000).map { ($0, $0.isMultiple(of: 7) ? "failure \($0)" : nil) })
        #expect(texts.compactMap(\.self) == ["failure 0"])
    }
}
