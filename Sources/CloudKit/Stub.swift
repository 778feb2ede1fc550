// CloudKit
