import Foundation
import Testing

@testable import CommandShell

@Suite("A claim about the last result")
struct ExpectationTests {
    private let now = Date(timeIntervalSince1970: 1_783_188_000)  // 2026-07-04 18:00 UTC

    private var answer: Answer {
        let near = [
            AnswerField("name", .text("Coffee")), AnswerField("distance", .distance(120)),
            AnswerField("place", .missing),
            AnswerField("starts", .moment(now)),
            AnswerField("thumbnail", .picture(Value.Size(width: 256, height: 192), byteCount: 9)),
            AnswerField("location", .location(Value.Location(latitude: 37.78, longitude: -122.4))),
        ]
        let far = [
            AnswerField("name", .text("Balloon Ball")), AnswerField("distance", .distance(4800)),
            AnswerField("place", .text("Pier 7")),
            AnswerField("starts", .moment(now.addingTimeInterval(86_400))),
            AnswerField("thumbnail", .missing),
        ]
        return Answer(
            form: .list,
            entries: [Entry(near), Entry(far)],
            facts: [AnswerField("saved", .bytes(500)), AnswerField("more", .flag(true))],
            notes: ["500 B saved"]
        )
    }

    private func failure(_ claim: String, _ result: LastResult) throws -> String? {
        let expectation = try Expectation.parse(try Tokenizer.words(in: claim))
        return ExpectationChecker(result: result, now: now).failure(of: expectation)
    }

    @Test(
        "A claim that holds",
        arguments: [
            "ok", "count 2", "count >= 2", "count < 3", "contains coffee", "contains \"500 b\"",
            "name = Coffee",
            "name[2] = \"Balloon Ball\"", "name ~ OFF", "name != Tea", "distance <= 500m",
            "distance[2] > 4.5km",
            "every distance < 5000", "sorted distance", "sorted name descending", "place = none",
            "place[2] != none",
            "starts = 2026-07-04T18:00", "starts[2] > tomorrow", "thumbnail.width = 256",
            "thumbnail.byteCount = 9",
            "saved > 100", "more = true", "location = 37.78,-122.40", "location.latitude = 37.78",
        ]
    )
    func holds(claim: String) throws {
        #expect(try failure(claim, .answer(answer)) == nil)
    }

    @Test(
        "A claim that does not hold is answered with the value found",
        arguments: [
            ("none", "the number of records is 2"),
            ("count 3", "the number of records is 2"),
            ("contains tea", "nothing contains `tea`"),
            ("name = Tea", "name is \"Coffee\""),
            ("colour = red", "there is no field colour"),
            ("name[3] = X", "there are 2 records"),
            ("every distance < 200", "distance[2] is 4800"),
            ("sorted distance descending", "120 comes before 4800 at record 1"),
            ("place = \"Pier 7\"", "place is none"),
            ("error", "the command succeeded"),
        ]
    )
    func fails(claim: String, expected: String) throws {
        #expect(try failure(claim, .answer(answer)) == expected)
    }

    @Test("A claim can be about a failed command and its code")
    func errors() throws {
        let result = LastResult.shellError(
            ShellError(code: "notAuthenticated", message: "nobody is signed in"))
        #expect(try failure("error", result) == nil)
        #expect(try failure("error notAuthenticated", result) == nil)
        #expect(try failure("contains \"signed in\"", result) == nil)
        let other = try failure("error serverRecordChanged", result)
        #expect(other == "the command failed with notAuthenticated and not with serverRecordChanged")
        let failed = "the command failed: notAuthenticated, nobody is signed in"
        #expect(try failure("count 1", result) == failed)
    }

    @Test("A claim can be about a partial failure")
    func partialFailures() throws {
        var batch = answer
        batch.failures = [ShellError(code: "badPhoto", message: "notes.txt: is a text")]
        #expect(try failure("error badPhoto", .answer(batch)) == nil)
        #expect(try failure("count 2", .answer(batch)) == nil)
        #expect(try failure("contains notes.txt", .answer(batch)) == nil)
        #expect(try failure("ok", .answer(batch)) != nil)
    }

    @Test("A claim needs a result")
    func nothing() throws {
        #expect(try failure("ok", .nothing) == "there is no result yet")
    }

    @Test(
        "An unknown claim is refused",
        arguments: [
            "", "count", "count many", "name", "name =", "name like x", "sorted", "sorted name up", "1x = 2",
        ]
    )
    func refused(claim: String) throws {
        let words = try Tokenizer.words(in: claim)
        #expect(throws: ShellError.self) { try Expectation.parse(words) }
    }
}
