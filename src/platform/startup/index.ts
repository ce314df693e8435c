export { reportedWait, EXIT_CONFIG, StartupError } from './startup-report.js';
