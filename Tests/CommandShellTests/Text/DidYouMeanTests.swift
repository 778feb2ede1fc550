import CommandShell
import Foundation
import Testing

@Suite("A mistyped word")
struct DidYouMeanTests {
    @Test("The distance of two words is the number of typing errors")
    func distance() {
        let pairs = [
            ("list", "list", 0), ("lst", "list", 1), ("lsit", "list", 1), ("lots", "list", 2), ("", "ab", 2),
        ]
        for (left, right, expected) in pairs {
            #expect(DidYouMean.distance(Array(left), Array(right)) == expected)
        }
    }

    @Test("Suggestions are the similar words, nearest first")
    func suggestions() {
        let names = ["Coffee", "Coffees", "Toffee", "Balloon Ball"]
        #expect(DidYouMean.suggestions(for: "cofee", among: names) == ["Coffee", "Coffees", "Toffee"])
        #expect(DidYouMean.suggestions(for: "zzz", among: names).isEmpty)
        #expect(DidYouMean.suggestions(for: "", among: names).isEmpty)
        #expect(DidYouMean.suggestions(for: "ball", among: names) == ["Balloon Ball"])
    }
}
