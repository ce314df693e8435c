import { toRotatedDto, toSigningKeyDto } from '../../keys/index.js';
import { table } from '../table.js';
import type { KeyWork } from './key-work.js';

const LISTED = 100;

const COLUMNS = [
  { heading: 'KID' },
  { heading: 'STATE' },
  { heading: 'SIGNS FROM', leftOut: 1 },
  { heading: 'VERIFIES UNTIL', leftOut: 2 },
] as const;

const STATE_COLOURS = { next: 'cyan', active: 'green', retiring: 'yellow', retired: 'dim' } as const;

/** The keys of the deployment, which sign for all of its organizations. */
export const signingKeys: KeyWork = {
  async list(bench, terminal) {
    const keys = (await bench.signingKeys.list(bench.database.reader, LISTED, null)).map(toSigningKeyDto);
    const lines = keys.map((key) => [
      key.kid,
      { text: key.state, colour: STATE_COLOURS[key.state] },
      terminal.instant(key.signs_at),
      terminal.instant(key.retired_at ?? key.retires_at),
    ]);
    terminal.result(keys, table(terminal, COLUMNS, lines));
  },

  async rotate({ signingKeyRotation }, terminal, isImmediate) {
    const cause = { actor: { type: 'operator', id: null }, origin: null } as const;
    const rotated = toRotatedDto(
      isImmediate
        ? await signingKeyRotation.rotateImmediately(cause)
        : await signingKeyRotation.rotate(cause),
    );
    const { active, next } = rotated;
    terminal.result(
      rotated,
      next === null
        ? `${active.kid} signs now; every access token signed before is refused.`
        : `${active.kid} signs until ${terminal.instant(next.signs_at)}, then ${next.kid}.`,
    );
  },
};
