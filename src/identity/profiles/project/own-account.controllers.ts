import { emailController } from '../../own-account/email.controller.js';
import { factorsController } from '../../own-account/factors.controller.js';
import { ownSessionsController } from '../../own-account/own-sessions.controller.js';
import { OWN_ACCOUNT } from './projects.js';

// Classes of their own, since operations of the two profiles have different names in OpenAPI.
export class ProjectEmailController extends emailController(OWN_ACCOUNT, 'project') {}
export class ProjectFactorsController extends factorsController(OWN_ACCOUNT) {}
export class ProjectOwnSessionsController extends ownSessionsController(OWN_ACCOUNT) {}
