/// The templates of the pages, one in each file of this folder. They are compiled into the program, so an
/// installed program needs no further files. A value in two braces is escaped; a value in three braces is the
/// HTML of another template.
enum Template {}

/// The templates of the pages about the whole server.
enum ServerTemplate {}

/// The templates of the pages about the person's own data.
enum OwnTemplate {}
