/** Anything shorter is an ordinary word. */
const SHORTEST = 10;
const RANDOM_TOKEN = /^[\w-]{40,}$/;

/** The ways in which a secret may be written down: as it is, escaped, in hexadecimal, in Base64. */
function formsOf(secret) {
  const encoded = (bytes) => [
    bytes.toString('hex'),
    // The last group changes with what follows, where more than the secret is encoded.
    bytes.toString('base64').slice(0, Math.floor(bytes.length / 3) * 4),
    bytes.toString('base64url').slice(0, Math.floor(bytes.length / 3) * 4),
  ];
  return new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...encoded(Buffer.from(secret)),
    ...(RANDOM_TOKEN.test(secret) ? encoded(Buffer.from(secret, 'base64url')) : []),
  ]);
}

/**
 * A search for these secrets, however they are encoded. It walks each text once, whatever their number.
 * @returns {(text: string) => string[]} the secrets that the text contains
 */
export function searchFor(secrets) {
  const byStart = new Map();
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST) continue;
    for (const form of formsOf(secret)) {
      if (form.length < SHORTEST) continue;
      const start = form.slice(0, SHORTEST);
      const alike = byStart.get(start);
      if (alike === undefined) byStart.set(start, [{ secret, form }]);
      else alike.push({ secret, form });
    }
  }
  return (text) => {
    const found = new Set();
    for (let at = 0; at + SHORTEST <= text.length; at += 1) {
      for (const { secret, form } of byStart.get(text.slice(at, at + SHORTEST)) ?? []) {
        if (text.startsWith(form, at)) found.add(secret);
      }
    }
    return [...found];
  };
}
