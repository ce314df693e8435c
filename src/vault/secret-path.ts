/** Longest name of a secret, characters. */
export const MAX_SECRET_PATH = 255;

const SEGMENT = '[A-Za-z0-9_-][A-Za-z0-9._-]*';

/**
 * The name of a secret: segments of letters, digits, `.`, `_` and `-`, none beginning with a dot, joined by
 * single slashes. Every character stands for itself in a URL, and no name can climb (`..`).
 */
export const SECRET_PATH = new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`);

export function isSecretPath(path: string): boolean {
  return path.length <= MAX_SECRET_PATH && SECRET_PATH.test(path);
}
