import type { SigningKeyEntity } from './signing-key.repository.js';

export interface RotationPlan {
  /** Age at which the active key is replaced; 0 for never. */
  readonly rotationDays: number;
  /** How long a key is published before it signs. */
  readonly leadSecs: number;
}

type TimedKey = Pick<SigningKeyEntity, 'state' | 'signsAt' | 'activeAt' | 'retiresAt'>;

const DAY_MS = 86_400_000;

/** When the successor of the active key is to be published, so that it signs when the rotation age is reached. */
export function rotationDueAt(keys: readonly TimedKey[], plan: RotationPlan): Date | null {
  if (plan.rotationDays === 0 || keys.some((key) => key.state === 'next')) return null;
  const activeAt = keys.find((key) => key.state === 'active')?.activeAt;
  if (activeAt == null) return null;
  return new Date(activeAt.getTime() + plan.rotationDays * DAY_MS - plan.leadSecs * 1000);
}

/** When a state changes next by time alone; null when none will. */
export function transitionDueAt(keys: readonly TimedKey[]): Date | null {
  const times = keys.flatMap((key) => {
    if (key.state === 'next') return [key.signsAt.getTime()];
    return key.state === 'retiring' && key.retiresAt !== null ? [key.retiresAt.getTime()] : [];
  });
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** The key that signs at an instant: the waiting one from the moment it may, even if nobody has promoted it yet. */
export function signerAt<Key extends TimedKey>(keys: readonly Key[], now: Date): Key | undefined {
  return (
    keys.find((key) => key.state === 'next' && key.signsAt <= now) ??
    keys.find((key) => key.state === 'active')
  );
}

/** Whether a key still verifies at an instant, even if nobody has retired it yet. */
export function isPublishedAt(key: TimedKey, now: Date): boolean {
  return key.state !== 'retired' && (key.retiresAt === null || key.retiresAt > now);
}
