export { BUILTIN_ROLES } from './builtin-roles.js';
export type { BuiltinRole } from './builtin-roles.js';
export { covers, isPermission } from './permission.js';
export { requireHeld } from './privilege.js';
export { PermissionsField } from './permissions-field.js';
export { RbacModule } from './rbac.module.js';
export { RoleRepository } from './role.repository.js';
export type { Role } from './role.repository.js';
