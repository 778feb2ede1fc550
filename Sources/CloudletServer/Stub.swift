// CloudletServer
