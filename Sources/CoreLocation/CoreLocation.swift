// Owns the name under which existing code imports location types where there is no CoreLocation.

@_exported public import Cloudlet
