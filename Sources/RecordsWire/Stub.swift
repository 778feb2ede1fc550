// RecordsWire
