import { Module } from '@nestjs/common';
import { IdentityCoreModule } from '../identity-core.module.js';
import { OperatorUserRepository } from './operator-user.repository.js';
import { OperatorUsersController } from './operator-users.controller.js';
import { UserDisabling } from './user-disabling.js';

/** What the operator of the deployment may do with accounts. */
@Module({
  imports: [IdentityCoreModule],
  controllers: [OperatorUsersController],
  providers: [OperatorUserRepository, UserDisabling],
})
export class IdentityOperatorModule {}
