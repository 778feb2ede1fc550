// RecordStoreSQLite
