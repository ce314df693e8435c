export { ChangeUserBody, OperatorUserQuery } from './dto/operator-user.js';
export { ManagedSessionDto, toManagedSessionDto } from './dto/managed-session.js';
export { ManagedSessions } from './managed-sessions.js';
export { ManagedUsers } from './managed-users.js';
export type { UserAct } from './managed-users.js';
export { OperatorUserSessionsController } from './operator-user-sessions.controller.js';
export { OperatorUsersController } from './operator-users.controller.js';
export { OperatorUserRepository, UserDisabling } from './operator-users.js';
