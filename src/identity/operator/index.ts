export { ChangeUserBody, OperatorUserQuery } from './dto/operator-user.js';
export { OperatorUsersController } from './operator-users.controller.js';
export { OperatorUserRepository, UserDisabling } from './operator-users.js';
