export { reportedWait } from './reported-wait.js';
export { EXIT_CONFIG, StartupError } from './startup-error.js';
