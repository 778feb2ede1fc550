/* Has nothing to declare: the module runs one function when the program is loaded. */
