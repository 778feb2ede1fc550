import Foundation

/// Reads archives that CloudKit wrote on Apple's systems. Their class names have no module name, and their
/// keys have no prefix.
///
/// Zone IDs, record IDs, references, zones and change tokens can be read. Other objects cannot: a record
/// refers to encryption keys and to classes that only the framework has.
enum FrameworkArchive {
    /// The string under a key; nil if there is none.
    static func text(_ key: String, from coder: NSCoder) -> String? {
        object(key, from: coder) as? String
    }

    /// The object of a class under a key; nil if there is none.
    static func object<Object: NSObject>(_ type: Object.Type, _ key: String, from coder: NSCoder) -> Object? {
        object(key, from: coder) as? Object
    }

    /// Allows all classes that such an archive can contain, because the unarchiver ends the process if it
    /// finds another class.
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

    /// Registers the classes of this module under the framework's names, for all unarchivers of the process.
    fileprivate static func nameClasses() {
        for known in classes { NSKeyedUnarchiver.setClass(known.type, forClassName: known.name) }
    }
}

/// Called once when the program is loaded, before any archive is read.
@_cdecl("cloudlet_name_archived_classes")
public func _cloudletNameArchivedClasses() {
    FrameworkArchive.nameClasses()
}
