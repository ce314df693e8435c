import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../audit/index.js';
import { UUID_PATTERN } from '../../platform/crypto/index.js';
import { CurrentOperator, Endpoint, PageQuery, positionOf, RequestOrigin } from '../../http/index.js';
import type { OperatorCaller, Origin, Page } from '../../http/index.js';
import { MemberDto, OperatorRemoveMemberQuery, toMemberDto, UpdateMemberBody } from './dto/member.js';
import { OperatorMembers } from './operator-members.js';

/** The members of any organization, for the operator. */
@ApiTags('Operator')
@Controller('admin/v1/orgs/:org/members')
export class OperatorMembersController {
  constructor(private readonly members: OperatorMembers) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'Members of an organization, newest first',
    response: [MemberDto],
    errors: ['validation_failed', 'org_not_found'],
  })
  @ApiParam({ name: 'org', type: String, example: 'acme', description: 'Organization id or slug.' })
  async list(@Param('org') org: string, @Query() query: PageQuery): Promise<Page<MemberDto>> {
    const page = await this.members.list(org, query.limit, positionOf(query.cursor, UUID_PATTERN));
    return page.map(toMemberDto);
  }

  @Endpoint.put(':user_id', {
    access: 'operator',
    summary: 'Give a user a role in an organization',
    description:
      'Adds the user if they are not a member. To hand over an organization whose last owner left, make another user ' +
      '`owner`, then remove the former one.',
    response: MemberDto,
    errors: [
      'validation_failed',
      'org_not_found',
      'user_not_found',
      'user_disabled',
      'unknown_role',
      'last_owner',
      'limit_reached',
      'overloaded',
    ],
  })
  @ApiParam({ name: 'org', type: String, example: 'acme', description: 'Organization id or slug.' })
  async put(
    @Param('org') org: string,
    @Param('user_id') userId: string,
    @Body() { role }: UpdateMemberBody,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<MemberDto> {
    return toMemberDto(await this.members.put({ org, userId, actor: actorOf(operator), origin }, role));
  }

  @Endpoint.delete(':user_id', {
    access: 'operator',
    summary: 'Remove a member of an organization',
    description:
      'Refused for the last owner who can sign in, so that the organization keeps one. API keys that the member made ' +
      'stay in force, as those of programs do, unless you revoke them.',
    status: 204,
    errors: ['validation_failed', 'org_not_found', 'member_not_found', 'last_owner', 'overloaded'],
  })
  @ApiParam({ name: 'org', type: String, example: 'acme', description: 'Organization id or slug.' })
  async remove(
    @Param('org') org: string,
    @Param('user_id') userId: string,
    @Query() { revoke_keys: revokesKeys = false }: OperatorRemoveMemberQuery,
    @CurrentOperator() operator: OperatorCaller,
    @RequestOrigin() origin: Origin,
  ): Promise<void> {
    await this.members.remove({ org, userId, actor: actorOf(operator), origin }, revokesKeys);
  }
}
