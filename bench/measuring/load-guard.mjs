/** Above this load of the machine, averaged over the minute before the run, results are not kept. */
export const LOAD_LIMIT = 0.5;

/**
 * Decides whether results are written to files.
 * @param {object} of
 * @param {number} of.load of the machine before the run, averaged over one minute
 * @param {boolean} of.isWhole whether all default scenarios are measured with their full amounts
 * @param {boolean} of.isWanted false if the caller asked for no files
 * @param {boolean} of.isDespiteLoad true if the caller wants files even from a busy machine
 * @returns {{ keep: boolean, reason: string | null }} the reason why nothing is kept, for the user
 */
export function decideKeeping({ load, isWhole, isWanted, isDespiteLoad }) {
  if (!isWanted) return { keep: false, reason: null };
  if (!isWhole) return { keep: false, reason: 'Results of a part of the benchmark are printed, not kept.' };
  if (load <= LOAD_LIMIT || isDespiteLoad) return { keep: true, reason: null };
  return {
    keep: false,
    reason:
      `The load of the machine was ${load.toFixed(2)} before the run, above ${LOAD_LIMIT}: the results are printed, ` +
      'not kept. Wait until the machine is idle, or add --keep-despite-load.',
  };
}
