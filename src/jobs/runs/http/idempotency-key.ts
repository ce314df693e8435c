import { ApiHeader } from '@nestjs/swagger';
import { ServiceError } from '../../../http/index.js';
import { IDEMPOTENCY_KEY } from './dto/run-query.js';

/** Documents that a route takes an `Idempotency-Key`. */
export function TakesIdempotencyKey(): MethodDecorator {
  return ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Repeating a request with the same key within 24 hours answers the same run.',
  });
}

/**
 * The value of the header, or null without one.
 * @throws validation_failed
 */
export function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined || IDEMPOTENCY_KEY.test(header)) return header ?? null;
  throw new ServiceError('validation_failed', {
    details: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }],
  });
}
