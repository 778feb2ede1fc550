// Re-exports the model, which the public API uses, so that importing `MirroredStore` is enough.

@_exported public import ObjectModel
