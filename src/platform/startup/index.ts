export { EXIT_CONFIG, StartupError } from './startup-error.js';
