// ClownCentral
