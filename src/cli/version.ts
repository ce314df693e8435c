/** As in package.json and bin/package.json; a test compares them. */
export const VERSION = '0.1.0';
