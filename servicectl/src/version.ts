/** As in package.json and servicectl/package.json; a test compares them. */
export const VERSION = '0.1.0';
