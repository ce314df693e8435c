export { ChangeUserBody, OperatorUserQuery } from './dto/operator-user.js';
export { IdentityOperatorModule } from './identity-operator.module.js';
export { OperatorUserRepository } from './operator-user.repository.js';
export { UserDisabling } from './user-disabling.js';
