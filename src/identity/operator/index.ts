export { IdentityOperatorModule } from './identity-operator.module.js';
export { UserDisabling } from './user-disabling.js';
