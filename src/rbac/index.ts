export {
  concretePermissionProblems,
  isConcretePermission,
  readConcretePermission,
} from './concrete-permission.js';
export {
  ORG_PARAM,
  OrganizationCommands,
  OrganizationRoutes,
  RoleAssignments,
} from './organization-commands.js';
export type { Attempt, OrganizationCommand } from './organization-commands.js';
export { covers, isPermission, requireCovered } from './permission.js';
export { PermissionsField } from './permissions-field.js';
export { RbacModule, RolesModule } from './rbac.module.js';
export { RoleRepository } from './role.repository.js';
export type { Role } from './role.repository.js';
