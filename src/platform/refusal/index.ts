export { EXIT_CONFIG, StartRefusal } from './start-refusal.js';
