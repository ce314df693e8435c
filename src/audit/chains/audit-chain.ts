/** The chain of things that concern no known organization or user, such as a sign-in with an unknown address. */
const DEPLOYMENT_CHAIN = 'deployment';

export function organizationChain(orgId: string): string {
  return `org:${orgId}`;
}

export function userChain(userId: string): string {
  return `user:${userId}`;
}

/** The hash chain that an entry belongs to. */
export function chainOf(entry: { readonly orgId: string | null; readonly userId: string | null }): string {
  if (entry.orgId !== null) return organizationChain(entry.orgId);
  return entry.userId !== null ? userChain(entry.userId) : DEPLOYMENT_CHAIN;
}
