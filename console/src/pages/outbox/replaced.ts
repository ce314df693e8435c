interface Mail {
  readonly id: string;
  readonly to: string;
  readonly kind: string;
  readonly project_id: string | null;
  readonly state: string;
}

/**
 * The mails that are finished and that a newer one of the same kind to the same address has replaced.
 * @param mails newest first
 */
export function replacedIn(mails: readonly Mail[]): ReadonlySet<Mail['id']> {
  const known = new Set<string>();
  const replaced = new Set<Mail['id']>();
  for (const { id, to, kind, project_id, state } of mails) {
    const name = JSON.stringify([to, kind, project_id]);
    if (known.has(name) && state !== 'waiting') replaced.add(id);
    known.add(name);
  }
  return replaced;
}
