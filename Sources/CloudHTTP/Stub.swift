// CloudHTTP
