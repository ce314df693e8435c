export { StartRefusal } from './start-refusal.js';
