import { createHash } from 'node:crypto';
import { MAX_DETAILS_BYTES, recordedDetails } from '../../../src/audit/recorded-details.js';

describe('the details of an audit entry', () => {
  it('are recorded as they are up to 16 KiB', () => {
    const details = { filter: { job_id: 'x'.repeat(MAX_DETAILS_BYTES - 40) }, matched: 3 };
    expect(recordedDetails(details)).toBe(details);
  });

  it('name the size and the SHA-256 of the longest members beyond that, and keep the others', () => {
    const from = ['a'.repeat(9_000)];
    const to = ['é'.repeat(30_000)];
    const json = JSON.stringify(to);
    expect(recordedDetails({ from, to, gone: undefined, more: 1 })).toEqual({
      from,
      to: { bytes: 60_004, sha256: createHash('sha256').update(json).digest('hex') },
      more: 1,
    });
  });

  it('never take more than that, whatever a caller sent', () => {
    const members = Array.from({ length: 40 }, (_, n) => [`member_${n}`, 'x'.repeat(1_000 * n)] as const);
    const recorded = recordedDetails(Object.fromEntries(members));
    expect(Buffer.byteLength(JSON.stringify(recorded))).toBeLessThanOrEqual(MAX_DETAILS_BYTES);
    expect(recorded).toMatchObject({ member_1: 'x'.repeat(1_000), member_39: { bytes: 39_002 } });
  });
});
