import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../audit/index.js';
import { SigningKeyRepository, SigningKeyRotation } from '../../identity/index.js';
import { Database } from '../../platform/database/index.js';
import {
  CurrentOperator,
  decodeCursor,
  Endpoint,
  PageQuery,
  pageOf,
  RequestOrigin,
} from '../../http/index.js';
import type { OperatorCaller, Origin, Page } from '../../http/index.js';
import { RotateBody, RotatedDto, SigningKeyDto, toRotatedDto, toSigningKeyDto } from './signing-key.dto.js';

/** A base64url SHA-256. */
const KID = /^[\w-]{43}$/;

@ApiTags('Operator')
@Controller('admin/v1/signing-keys')
export class SigningKeyOperatorController {
  constructor(
    private readonly database: Database,
    private readonly signingKeys: SigningKeyRepository,
    private readonly rotation: SigningKeyRotation,
  ) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Signing keys and their states, newest first',
    response: [SigningKeyDto],
    errors: ['validation_failed'],
  })
  async list(@Query() { limit, cursor }: PageQuery): Promise<Page<SigningKeyDto>> {
    const before = decodeCursor(cursor, KID);
    const found = await this.signingKeys.list(this.database.reader, limit + 1, before);
    return pageOf(found, limit, ({ kid }) => kid).map(toSigningKeyDto);
  }

  @Endpoint.post('rotate', {
    access: 'operator',
    summary: 'Replace the signing key',
    description:
      'Publishes the next key, which signs after `identity.key_publish_lead_secs`; while one waits, answers that one.',
    status: 202,
    response: RotatedDto,
    errors: ['validation_failed'],
  })
  async rotate(
    @Body() body: RotateBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<RotatedDto> {
    const by = { actor: actorOf(operator), origin };
    return toRotatedDto(
      body.immediate === true ? await this.rotation.rotateImmediately(by) : await this.rotation.rotate(by),
    );
  }
}
