import ObjectModel
import Records
import Testing

/// Entities that break one rule, with the error.
struct BrokenModel: Sendable, CustomTestStringConvertible {
    let entities: [StoreLayout.Entity]
    let culprit: String
    let reason: String

    var testDescription: String { culprit }

    init(_ culprit: String, _ reason: String, _ entities: StoreLayout.Entity...) {
        self.entities = entities
        self.culprit = culprit
        self.reason = reason
    }

    static let broken: [BrokenModel] = [
        BrokenModel(
            "a", "the model has this entity twice, or A, which differs in case only", .init("A"), .init("a")),
        BrokenModel("B", "it inherits from A, but the model has no entity A", .init("B", parent: "A")),
        BrokenModel(
            "A", "it inherits from itself, by way of A", .init("A", parent: "B"), .init("B", parent: "A")),
        BrokenModel(
            "A.entityName", "mirrored records have a field CD_entityName of their own",
            .init("A", attributes: [.init("entityName", .string)])),
        BrokenModel(
            "A.moveReceipt", "mirrored records have a field CD_moveReceipt of their own",
            .init("A", attributes: [.init("moveReceipt", .binaryData)])),
        BrokenModel(
            "A.über", "a name is 1 to 244 letters of ASCII, digits or underscores",
            .init("A", attributes: [.init("über", .string)])),
        BrokenModel(
            "A.x", "A.x has this name too, and both are fields of CD_A",
            .init("A", attributes: [.init("x", .string), .init("x", .string)])),
        BrokenModel(
            "C.x", "B.x has this name too, and both are fields of CD_A",
            .init("A"), .init("B", parent: "A", attributes: [.init("x", .string)]),
            .init("C", parent: "A", attributes: [.init("x", .date)])),
        BrokenModel(
            "B.x", "A.x has this name too, and both are fields of CD_A",
            .init("A", attributes: [.init("x", .string)]),
            .init("B", parent: "A", attributes: [.init("x", .string)])),
        BrokenModel(
            "D.x", "B.x has this name too, and both are fields of CD_A",
            .init("A"), .init("B", parent: "A", attributes: [.init("x", .string)]),
            .init("C", parent: "A", attributes: [.init("x", .string)]),
            .init("D", parent: "B", attributes: [.init("x", .string)])),
        BrokenModel(
            "C.x", "B.x has this name too, and both are fields of CD_A",
            .init("A"), .init("B", parent: "A", attributes: [.init("x", .string)]),
            .init("C", parent: "A", relationships: [.init("x", to: "C", inverse: "x")])),
        BrokenModel(
            "A.x_ckAsset", "records have a field of this name for long values of x",
            .init("A", attributes: [.init("x", .string), .init("x_ckAsset", .string)])),
        BrokenModel(
            "A.x", "no store holds values of the type undefined",
            .init("A", attributes: [.init("x", .undefined)])),
        BrokenModel(
            "A.x", "no store holds values of the type objectID",
            .init("A", attributes: [.init("x", .objectID, isTransient: true)])),
        BrokenModel(
            "A.x", "its default value is not of the type integer16",
            .init("A", attributes: [.init("x", .integer16, defaultValue: .int64(40_000))])),
        BrokenModel(
            "A", "no store checks its uniqueness constraint on x",
            .init("A", attributes: [.init("x", .string)], uniquenessConstraints: [["x"]])),
        BrokenModel(
            "A.b", "it leads to B, but the store has no entity B",
            .init("A", relationships: [.init("b", to: "B", inverse: "a")])),
        BrokenModel(
            "A.b", "it has no inverse relationship",
            .init("A", relationships: [.init("b", to: "B", inverse: "")]),
            .init("B")),
        BrokenModel(
            "A.c", "its inverse B.a leads to A.b instead",
            .init(
                "A",
                relationships: [.init("b", to: "B", inverse: "a"), .init("c", to: "B", inverse: "a")]),
            .init("B", relationships: [.init("a", to: "A", inverse: "b")])),
        BrokenModel(
            "A.as", "it is ordered, and stores keep no order",
            .init(
                "A", relationships: [.init("as", to: "A", inverse: "as", isToMany: true, isOrdered: true)])),
    ]

    static let notMirrored: [BrokenModel] = [
        BrokenModel(
            "A.x", "it is neither optional nor has a default value",
            .init("A", attributes: [.init("x", .string, isOptional: false)])),
        BrokenModel(
            "A.a", "it is not optional, and objects arrive before those at the other end",
            .init("A", relationships: [.init("a", to: "A", inverse: "a", isOptional: false)])),
        BrokenModel(
            "A.a", "its delete rule is deny, and a deletion on another device cannot be refused",
            .init("A", relationships: [.init("a", to: "A", inverse: "a", deleteRule: .deny)])),
    ]
}

@Suite("The rules of models")
struct LayoutRulesTests {
    @Test(
        "A model that breaks a rule is refused with the entity, the property and the reason",
        arguments: BrokenModel.broken)
    func broken(_ model: BrokenModel) {
        let error = #expect(throws: MirroredStoreError.self) { try StoreLayout(model.entities) }
        #expect(error?.code == .incompatibleModel)
        #expect(error?.culprit == model.culprit)
        #expect(error?.reason == model.reason)
        #expect(error?.nextStep.isEmpty == false)
    }

    @Test(
        "Rules of mirrored stores do not bind stores that stay on the device",
        arguments: BrokenModel.notMirrored)
    func notMirrored(_ model: BrokenModel) throws {
        let layout = try StoreLayout(model.entities)
        let error = #expect(throws: MirroredStoreError.self) { try layout.checkMirroring() }
        #expect(error?.culprit == model.culprit)
        #expect(error?.reason == model.reason)
    }

    @Test("Equal attributes of two entities with one root share a field")
    func shared() throws {
        let layout = try StoreLayout([
            .init("A"), .init("B", parent: "A", attributes: [.init("x", .integer32)]),
            .init("C", parent: "A", attributes: [.init("x", .integer32)]),
        ])
        #expect(layout.schema.types.keys.sorted() == ["CD_A"])
        #expect(layout.schema.types["CD_A"]?.fields["CD_x"]?.type == .scalar(.int64))
    }

    @Test("Relationships of two entities with one root may have the same name, and share a field")
    func sharedRelationships() throws {
        let layout = try StoreLayout([
            .init("A"), .init("B", parent: "A", relationships: [.init("x", to: "T", inverse: "bs")]),
            .init("C", parent: "A", relationships: [.init("x", to: "C", inverse: "x")]),
            .init("T", relationships: [.init("bs", to: "B", inverse: "x", isToMany: true)]),
        ])
        #expect(layout.schema.types["CD_A"]?.fields["CD_x"]?.type == .scalar(.string))
        #expect(layout.oneToOnes(ofRoot: "A").map(\.entity) == ["C"])
    }

    @Test("An attribute accepts exactly the values of its type")
    func values() {
        let cases: [(StoreLayout.AttributeType, FieldValue, Bool)] = [
            (.integer16, .int64(32_767), true), (.integer16, .int64(32_768), false),
            (.integer32, .int64(-2_147_483_648), true), (.integer32, .int64(-2_147_483_649), false),
            (.integer64, .int64(.max), true), (.integer64, .double(1), false),
            (.boolean, .int64(1), true), (.boolean, .int64(2), false),
            (.double, .double(0.1), true), (.double, .double(.infinity), false), (.float, .int64(1), false),
            (.decimal, .double(.nan), false), (.date, .timestamp(Timestamp(milliseconds: 0)), true),
            (.uuid, .string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), true), (.uuid, .string("E621"), false),
            (.uri, .string("x"), true), (.string, .bytes([]), false), (.binaryData, .bytes([]), true),
            (.transformable, .bytes([1]), true), (.undefined, .int64(0), false),
        ]
        for (type, value, isAccepted) in cases {
            #expect(type.accepts(value) == isAccepted, "\(type) \(value)")
        }
    }
}
