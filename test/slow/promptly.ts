/**
 * The bound of the slow lane for what the contract promises within a second. It is four seconds, so that no test depends
 * on how busy the machine is, and still less than the same takes without the mechanism under test: a cache entry lives
 * 30 s, access is checked again every 5 s. `TEST_QUIET=1` asserts the second itself; the machine has to be idle for that.
 */
export const PROMPTLY_MS = process.env.TEST_QUIET === undefined ? 4000 : 1000;
