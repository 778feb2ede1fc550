/// The templates of the pages, one in each file of this folder. They are part of the program, so that it has
/// them wherever it is installed. Values in two braces are escaped; those in three are HTML of another
/// template.
enum Template {}
