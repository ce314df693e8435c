import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeCursor, Endpoint, PageQuery, pageOf, sendPage } from '../platform/http/index.js';
import { OperatorOrganizations } from './operator-organizations.js';

export class OperatorOrganizationDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, example: 'acme' })
  slug!: string;

  @ApiProperty({ type: String, example: 'Acme Inc.' })
  name!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: Number, description: 'How many members it has.' })
  members!: number;
}

const ORGANIZATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

@ApiTags('Operator')
@Controller('admin/v1/orgs')
export class OperatorOrganizationsController {
  constructor(private readonly organizations: OperatorOrganizations) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Organizations, newest first',
    response: [OperatorOrganizationDto],
    errors: ['validation_failed'],
  })
  async list(
    @Query() { limit, cursor }: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OperatorOrganizationDto[]> {
    const before = cursor === undefined ? null : decodeCursor(cursor, ORGANIZATION_ID);
    const page = pageOf(await this.organizations.list(limit + 1, before), limit, ({ id }) => id);
    return sendPage(page, request, reply).map(({ createdAt, ...rest }) => ({
      ...rest,
      created_at: createdAt.toISOString(),
    }));
  }
}
