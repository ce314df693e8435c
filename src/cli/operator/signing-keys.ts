import { toRotatedDto, toSigningKeyDto } from '../../keys/index.js';
import { table } from '../terminal.js';
import type { KeyWork } from './key-work.js';

const LISTED = 100;

/** The keys of the deployment, which sign for all of its organizations. */
export const signingKeys: KeyWork = {
  async list(bench, terminal) {
    const keys = (await bench.signingKeys.list(bench.database.reader, LISTED, null)).map(toSigningKeyDto);
    const lines = keys.map((key) => [
      key.kid,
      key.state,
      key.signs_at,
      key.retired_at ?? key.retires_at ?? '',
    ]);
    terminal.result(keys, table([['KID', 'STATE', 'SIGNS FROM', 'VERIFIES UNTIL'], ...lines]));
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
        : `${active.kid} signs until ${next.signs_at}, then ${next.kid}.`,
    );
  },
};
