import type { ApiKey } from '@service/client';

export function keyState({
  revoked_at,
  expires_at,
}: Pick<ApiKey, 'revoked_at' | 'expires_at'>): 'active' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && new Date(expires_at).getTime() < Date.now() ? 'expired' : 'active';
}
