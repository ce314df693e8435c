import { SetMetadata } from '@nestjs/common';

export const UNCOUNTED = 'service:uncounted';

/** A route that `limits.requests_per_address` does not count. */
export function Uncounted(): MethodDecorator {
  return SetMetadata(UNCOUNTED, true);
}
