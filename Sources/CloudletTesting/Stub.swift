// CloudletTesting
