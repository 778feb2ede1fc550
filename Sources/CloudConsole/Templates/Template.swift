/// The templates of the pages, one in each file of this folder. They are part of the program, so that it has
/// them wherever it is installed. Values in two braces are escaped; those in three are HTML of another
/// template.
enum Template {}

/// The templates of the pages about the whole server.
enum ServerTemplate {}

/// The templates of the pages about one's own data.
enum OwnTemplate {}
