export { keepOwnersRights } from './file-rights.js';
export { restrictionOfNode } from './node-restrictions.js';
export { reportedWait, EXIT_CONFIG, StartupError } from './startup-report.js';
