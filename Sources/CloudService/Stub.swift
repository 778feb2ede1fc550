// CloudService
