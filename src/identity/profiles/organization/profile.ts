import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { ServiceError } from '../../../platform/http/index.js';
import { UserRepository } from '../../core/index.js';
import { toUserDto } from './dto/user.js';
import type { CurrentUserDto } from './dto/user.js';
import { UserOrganizations } from './user-organizations.js';

@Injectable()
export class Profile {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly organizations: UserOrganizations,
  ) {}

  /** @throws invalid_access_token when the account is gone while its token still lives */
  async ofUser(userId: string): Promise<CurrentUserDto> {
    const user = await this.users.findById(this.database.reader, userId);
    if (user === null) throw new ServiceError('invalid_access_token');
    return { ...toUserDto(user), orgs: await this.organizations.ofUser(userId) };
  }
}
