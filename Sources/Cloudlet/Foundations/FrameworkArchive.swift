import Foundation

/// Reads the archives that CloudKit itself makes on Apple's systems: their class names have no module, and
/// their keys are plain.
///
/// Zone IDs, record IDs, references, zones and change tokens can be read. Everything else is refused: a
/// record refers to encryption keys and to values of classes that only the framework has.
enum FrameworkArchive {
    /// The string under a key; nil if there is none.
    static func text(_ key: String, from coder: NSCoder) -> String? {
        object(key, from: coder) as? String
    }

    /// The object of a class under a key; nil if there is none.
    static func object<Object: NSObject>(_ type: Object.Type, _ key: String, from coder: NSCoder) -> Object? {
        object(key, from: coder) as? Object
    }

    /// All classes are allowed that such an archive has: of any other, the unarchiver ends the process.
    private static func object(_ key: String, from coder: NSCoder) -> Any? {
        guard coder.allowsKeyedCoding, coder.containsValue(forKey: key) else { return nil }
        return coder.decodeObject(of: foundationClasses + classes.map(\.type), forKey: key)
    }

    private static let foundationClasses: [AnyClass] = [
        NSString.self, NSNumber.self, NSData.self, NSDate.self, NSArray.self, NSDictionary.self, NSNull.self,
    ]

    private static var classes: [(name: String, type: AnyClass)] {
        [
            ("CKRecordZoneID", CKRecordZoneID.self), ("CKRecordID", CKRecordID.self),
            ("CKReference", CKReference.self), ("CKRecordZone", CKRecordZone.self),
            ("CKServerChangeToken", CKServerChangeToken.self), ("CKRecord", CKRecord.self),
        ]
    }

    /// Lets every unarchiver of the process find our classes under the framework's names.
    fileprivate static func nameClasses() {
        for known in classes { NSKeyedUnarchiver.setClass(known.type, forClassName: known.name) }
    }
}

/// Called once when the program is loaded, before anything can be unarchived.
@_cdecl("cloudlet_name_archived_classes")
public func _cloudletNameArchivedClasses() {
    FrameworkArchive.nameClasses()
}
